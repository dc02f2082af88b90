/* Workloads burn and lock: a fixed amount of work, shared among threads. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "workload/asm.h"
#include "workload/workload.h"

/* A lock that is taken in the order of asking. Each half has a cache line of its own. */
struct ticket_lock {
	_Alignas(64) atomic_uint_fast64_t next;
	_Alignas(64) atomic_uint_fast64_t served;
};

struct crew {
	void (*body)(struct crew *crew, uint64_t share);
	pthread_mutex_t gate; /* held until every thread is there */
	bool abandoned;       /* by gate: not every thread could be started */
	struct ticket_lock lock;
	uint64_t guarded; /* by lock: counts acquisitions */
};

struct worker {
	struct crew *crew;
	uint64_t share;
	pthread_t thread;
};

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	bool abandoned;

	pthread_mutex_lock(&worker->crew->gate);
	abandoned = worker->crew->abandoned;
	pthread_mutex_unlock(&worker->crew->gate);
	if (!abandoned)
		worker->crew->body(worker->crew, worker->share);
	return NULL;
}

/* started: how many threads run, this one included, also on failure. */
static struct error *start_workers(struct worker *workers, uint64_t threads, uint64_t *started)
{
	for (*started = 1; *started < threads; ++*started) {
		struct worker *worker = &workers[*started];
		int failure = pthread_create(&worker->thread, NULL, worker_main, worker);

		if (failure)
			return error_hint(error_os(failure, "start thread %ju of %ju", (uintmax_t)*started + 1,
						   (uintmax_t)threads),
					  "'ulimit -u' shows the limit of this user");
	}
	return NULL;
}

/* Do count operations on so many threads, this one among them; the first share takes what is left over. */
static struct error *crew_run(struct crew *crew, const struct workload_plan *plan)
{
	auto_free struct worker *workers = memory_zeroed(plan->threads, sizeof(*workers));
	uint64_t started;
	struct error *err;

	for (uint64_t i = 0; i < plan->threads; i++)
		workers[i] = (struct worker){ .crew = crew, .share = plan->count / plan->threads };
	workers[0].share += plan->count % plan->threads;
	pthread_mutex_lock(&crew->gate);
	err = start_workers(workers, plan->threads, &started);
	crew->abandoned = err != NULL;
	pthread_mutex_unlock(&crew->gate);
	worker_main(&workers[0]);
	for (uint64_t i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	return err;
}

static own_function void burn_share(struct crew *crew, uint64_t share)
{
	(void)crew;
	keep_frame();
	if (share)
		arithmetic(share, share);
}

struct error *workload_burn(const struct workload_plan *plan)
{
	struct crew crew = { .body = burn_share, .gate = PTHREAD_MUTEX_INITIALIZER };

	return crew_run(&crew, plan);
}

static inline void wait_a_little(void)
{
#if defined(__x86_64__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Give the CPU away now and then: the owner may be waiting for it. */
static own_function void lock_acquire(struct ticket_lock *lock)
{
	enum { SPINS_A_TURN = 1000 };
	uint64_t ticket = atomic_fetch_add(&lock->next, 1);

	keep_frame();
	for (unsigned spins = 1; atomic_load_explicit(&lock->served, memory_order_acquire) != ticket; spins++) {
		if (spins % SPINS_A_TURN)
			wait_a_little();
		else
			sched_yield();
	}
}

static own_function void lock_release(struct ticket_lock *lock)
{
	keep_frame();
	atomic_store_explicit(&lock->served, lock->served + 1, memory_order_release);
}

static own_function void lock_hold(struct crew *crew)
{
	enum { TURNS_INSIDE = 100 };

	keep_frame();
	crew->guarded++;
	arithmetic(TURNS_INSIDE, crew->guarded);
}

static own_function void lock_outside(uint64_t i)
{
	enum { TURNS_OUTSIDE = 200 };

	keep_frame();
	arithmetic(TURNS_OUTSIDE, i);
}

static own_function void lock_share(struct crew *crew, uint64_t share)
{
	keep_frame();
	for (uint64_t i = 0; i < share; i++) {
		lock_acquire(&crew->lock);
		lock_hold(crew);
		lock_release(&crew->lock);
		lock_outside(i);
	}
}

struct error *workload_lock(const struct workload_plan *plan)
{
	struct crew crew = { .body = lock_share, .gate = PTHREAD_MUTEX_INITIALIZER };
	struct error *err = crew_run(&crew, plan);

	if (!err && crew.guarded != plan->count)
		err = error_new(ERROR_OS, "lock: %ju acquisitions, not %ju: the lock does not exclude",
				(uintmax_t)crew.guarded, (uintmax_t)plan->count);
	return err;
}
