/* Taking the terminal, and giving it back however the program ends. */
#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>

#include "base/memory.h"

enum { ESCAPE_DELAY_MS = 25 };

struct terminal {
	SCREEN *screen;
	sigset_t old_mask;
	struct sigaction old_fatal[5], old_events[6]; /* ncurses sets handlers of its own, which exit */
	int signal_fd;
	int held_stderr; /* what standard error was; -1: not held */
	char *locale;    /* of characters, before */
};

static const int events[] = { SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };
static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };

bool terminal_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* The program is broken: only give the terminal back, and die of it. */
static void on_fatal(int number)
{
	endwin();
	raise(number);
}

static void catch_fatal(struct terminal *terminal)
{
	struct sigaction action = { .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	action.sa_handler = on_fatal;
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &action, &terminal->old_fatal[i]);
}

/* Threads started from now on leave these signals to the loop. */
static void catch_events(struct terminal *terminal)
{
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		sigaddset(&mask, events[i]);
	pthread_sigmask(SIG_BLOCK, &mask, &terminal->old_mask);
	terminal->signal_fd = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* A message in the middle of the screen would spoil it. */
static void hold_stderr(struct terminal *terminal)
{
	int file = memfd_create("perfmini-stderr", MFD_CLOEXEC);

	fflush(stderr);
	terminal->held_stderr = file < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (terminal->held_stderr >= 0)
		dup2(file, STDERR_FILENO);
	if (file >= 0)
		close(file);
}

static void release_stderr(struct terminal *terminal)
{
	char bytes[4096];
	ssize_t got;

	if (terminal->held_stderr < 0)
		return;
	fflush(stderr);
	lseek(STDERR_FILENO, 0, SEEK_SET);
	while ((got = read(STDERR_FILENO, bytes, sizeof(bytes))) > 0)
		if (write(terminal->held_stderr, bytes, (size_t)got) != got)
			break;
	dup2(terminal->held_stderr, STDERR_FILENO);
	close(terminal->held_stderr);
}

struct error *terminal_open(struct terminal **ret)
{
	struct terminal *terminal = memory_zeroed(1, sizeof(*terminal));
	const char *kind = getenv("TERM");

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		sigaction(events[i], NULL, &terminal->old_events[i]);
	terminal->locale = memory_strdup(setlocale(LC_CTYPE, NULL));
	setlocale(LC_CTYPE, "");
	terminal->screen = newterm(NULL, stdout, stdin);
	if (!terminal->screen) {
		free(terminal->locale);
		free(terminal);
		return error_hint(error_new(ERROR_UNSUPPORTED, "TERM=%s is no terminal that can be drawn on",
					    kind ? kind : ""), "--stdio prints text");
	}
	set_term(terminal->screen);
	catch_events(terminal);
	catch_fatal(terminal);
	hold_stderr(terminal);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	*ret = terminal;
	return NULL;
}

int terminal_signal_fd(const struct terminal *terminal)
{
	return terminal->signal_fd;
}

static void resize(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	clearok(curscr, TRUE);
}

static void stop(void)
{
	endwin();
	raise(SIGSTOP);
	resize();
	refresh();
}

int terminal_signal(struct terminal *terminal)
{
	struct signalfd_siginfo info;

	if (read(terminal->signal_fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (info.ssi_signo == SIGWINCH)
		resize();
	else if (info.ssi_signo == SIGTSTP)
		stop();
	return (int)info.ssi_signo;
}

void terminal_close(struct terminal *terminal)
{
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &terminal->old_fatal[i], NULL);
	endwin();
	delscreen(terminal->screen);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		sigaction(events[i], &terminal->old_events[i], NULL);
	release_stderr(terminal);
	close(terminal->signal_fd);
	pthread_sigmask(SIG_SETMASK, &terminal->old_mask, NULL);
	setlocale(LC_CTYPE, terminal->locale);
	free(terminal->locale);
	free(terminal);
}
