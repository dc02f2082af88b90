/* Frames of flame graphs as SVG: readable as they are; the file's own script zooms and searches. */
#include "output/flame_svg.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { LETTER = 7 };

static const char style[] =
	"<style>svg.flame text{font:12px monospace;fill:#000;pointer-events:none}svg.flame rect{stroke:#fff;stroke-width:.5}"
	"g.f{cursor:pointer}g.f:hover rect{stroke:#000}svg.flame g.hit rect{fill:#c5f!important}"
	"svg.flame .b{cursor:pointer;pointer-events:all;text-decoration:underline}</style>\n";

/* A frame knows its place as shares of the whole: data-x, data-w; its row: data-d. */
static const char script[] =
	"<script><![CDATA[\n"
	"{const W=1180,M=10,root=document.currentScript.closest('svg'),frames=[...root.querySelectorAll('g.f')];\n"
	"function zoom(z){const x=+z.dataset.x,w=+z.dataset.w,d=+z.dataset.d,e=1e-9;\n"
	" for(const g of frames){if(g.dataset.p!=z.dataset.p)continue;const a=+g.dataset.x,b=+g.dataset.w,up=+g.dataset.d<=d;\n"
	"  let p,q;if(up&&a<=x+e&&a+b>=x+w-e){p=0;q=1}else if(!up&&a>=x-e&&a+b<=x+w+e){p=(a-x)/w;q=b/w}\n"
	"  else{g.style.display='none';continue}\n"
	"  g.style.display='';const r=g.querySelector('rect'),t=g.querySelector('text');\n"
	"  r.setAttribute('x',M+p*W);r.setAttribute('width',q*W);\n"
	"  if(t){t.setAttribute('x',M+p*W+3);const n=Math.floor((q*W-6)/7),s=g.dataset.n;\n"
	"   t.textContent=n<3?'':s.length<=n?s:s.slice(0,n-2)+'..'}}}\n"
	"for(const g of frames)g.addEventListener('click',()=>zoom(g));\n"
	"root.querySelector('.search').addEventListener('click',()=>{\n"
	" const s=prompt('part of a name');let hit=[];\n"
	" for(const g of frames){const on=!!s&&g.dataset.n.includes(s);g.classList.toggle('hit',on);\n"
	"  if(on&&g.dataset.p==frames[0].dataset.p)hit.push([+g.dataset.x,+g.dataset.w])}\n"
	" hit.sort((a,b)=>a[0]-b[0]||b[1]-a[1]);let sum=0,end=-1;\n"
	" for(const[x,w]of hit)if(x>=end-1e-9){sum+=w;end=x+w}\n"
	" root.querySelector('.found').textContent=s?(100*sum).toFixed(2)+' % found':''})}\n"
	"]]></script>\n";

void flame_svg_text(const char *name, struct text *out)
{
	auto_text struct text clean = { 0 };

	text_append_escaped(&clean, name);
	for (const char *at = clean.bytes ? clean.bytes : ""; *at; at++)
		switch (*at) {
		case '&':
			text_append(out, "&amp;");
			break;
		case '<':
			text_append(out, "&lt;");
			break;
		case '>':
			text_append(out, "&gt;");
			break;
		case '"':
			text_append(out, "&quot;");
			break;
		default:
			text_append_char(out, *at);
		}
}

/* Warm, and the same for a name in every picture. */
void flame_svg_warm(const char *name, struct text *out)
{
	uint64_t hash = hash_bytes(name, strlen(name));

	text_format(out, "rgb(%u,%u,%u)", 205 + (unsigned)(hash % 50), 90 + (unsigned)(hash >> 8) % 130,
		    (unsigned)(hash >> 40) % 55);
}

/* As much of the name as fits; whole characters. */
static void append_label(const char *name, double width, struct text *out)
{
	size_t room = width > 3 * LETTER + 6 ? (size_t)((width - 6) / LETTER) : 0, length = strlen(name);
	bool is_short = text_width(name) <= room;

	if (!is_short) {
		length = 0;
		for (size_t columns = 0; room && name[length] && columns < room - 2; columns++)
			do
				length++;
			while ((name[length] & 0xc0) == 0x80);
	}

	auto_free char *part = memory_strndup(name, length);

	flame_svg_text(part, out);
	if (!is_short && room)
		text_append(out, "..");
}

void flame_svg_begin(uint32_t height, struct text *out)
{
	text_format(out, "<svg class=\"flame\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\">\n%s"
		    "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text class=\"b search\" x=\"%d\" y=\"24\">"
		    "search</text>\n<text class=\"found\" x=\"%d\" y=\"24\"></text>\n", FLAME_WIDTH, height, FLAME_WIDTH, height,
		    style, FLAME_WIDTH - 200, FLAME_WIDTH - 140);
}

void flame_svg_frame(const struct flame_frame *frame, struct text *out)
{
	double x = FLAME_MARGIN + frame->start * (FLAME_WIDTH - 2 * FLAME_MARGIN);
	double width = frame->share * (FLAME_WIDTH - 2 * FLAME_MARGIN);

	text_format(out, "<g class=\"f\" data-p=\"%u\" data-x=\"%.9f\" data-w=\"%.9f\" data-d=\"%u\" data-n=\"", frame->panel,
		    frame->start, frame->share, frame->depth);
	flame_svg_text(frame->name, out);
	text_append(out, "\"><title>");
	flame_svg_text(frame->name, out);
	text_format(out, " (%s)</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>"
		    "<text x=\"%.2f\" y=\"%u\">", frame->figures, x, frame->y, width, FLAME_ROW - 1, frame->color, x + 3,
		    frame->y + FLAME_ROW - 5);
	append_label(frame->name, width, out);
	text_append(out, "</text></g>\n");
}

void flame_svg_end(struct text *out)
{
	text_append(out, script);
	text_append(out, "</svg>\n");
}

uint32_t flame_svg_rows(const struct flame_tree *tree)
{
	return tree->depth < FLAME_ROWS_MAX ? tree->depth : FLAME_ROWS_MAX;
}

/* Each node after its parent; no recursion, chains may be deep. */
bool flame_svg_walk(const struct flame_walk *walk)
{
	const struct flame_tree *tree = walk->tree;
	auto_free double *starts = memory_zeroed(tree->count, sizeof(*starts));
	auto_free uint32_t *waiting = memory_zeroed(tree->count + 1, sizeof(*waiting));
	size_t count = 0;
	bool is_cut = false;

	waiting[count++] = 0;
	while (count) {
		uint32_t node = waiting[--count];
		double start = starts[node];

		walk->draw(walk->data, node, start, walk->weight(walk->data, node) / walk->whole);
		for (uint32_t child = tree->nodes[node].first_child; child; child = tree->nodes[child].next) {
			double share = walk->weight(walk->data, child) / walk->whole;

			starts[child] = start;
			start += share;
			is_cut |= tree->nodes[child].depth > walk->rows;
			if (share * FLAME_WIDTH >= FLAME_LEAST_WIDTH && tree->nodes[child].depth <= walk->rows)
				waiting[count++] = child;
		}
	}
	return is_cut;
}
