/* A flame graph as one SVG file: readable as it is; its own script zooms and searches. */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "output/export.h"

enum { WIDTH = 1200, MARGIN = 10, ROW = 17, HEAD = 40, LETTER = 7, ROWS_MAX = 2000 };

#define LEAST_WIDTH 0.1 /* pixels; narrower frames are left out, and those above them */

static const char style[] =
	"<style>text{font:12px monospace;fill:#000;pointer-events:none}rect{stroke:#fff;stroke-width:.5}"
	"g.f{cursor:pointer}g.f:hover rect{stroke:#000}g.hit rect{fill:#c5f!important}"
	".b{cursor:pointer;pointer-events:all;text-decoration:underline}</style>\n";

/* A frame knows its place as shares of the whole: data-x, data-w; its row: data-d. */
static const char script[] =
	"<script><![CDATA[\n"
	"const W=1180,M=10,frames=[...document.querySelectorAll('g.f')];\n"
	"function zoom(z){const x=+z.dataset.x,w=+z.dataset.w,d=+z.dataset.d,e=1e-9;\n"
	" for(const g of frames){const a=+g.dataset.x,b=+g.dataset.w,up=+g.dataset.d<=d;\n"
	"  let p,q;if(up&&a<=x+e&&a+b>=x+w-e){p=0;q=1}else if(!up&&a>=x-e&&a+b<=x+w+e){p=(a-x)/w;q=b/w}\n"
	"  else{g.style.display='none';continue}\n"
	"  g.style.display='';const r=g.querySelector('rect'),t=g.querySelector('text');\n"
	"  r.setAttribute('x',M+p*W);r.setAttribute('width',q*W);\n"
	"  if(t){t.setAttribute('x',M+p*W+3);const n=Math.floor((q*W-6)/7),s=g.dataset.n;\n"
	"   t.textContent=n<3?'':s.length<=n?s:s.slice(0,n-2)+'..'}}}\n"
	"for(const g of frames)g.addEventListener('click',()=>zoom(g));\n"
	"document.getElementById('search').addEventListener('click',()=>{\n"
	" const s=prompt('part of a name');let hit=[];\n"
	" for(const g of frames){const on=!!s&&g.dataset.n.includes(s);g.classList.toggle('hit',on);\n"
	"  if(on)hit.push([+g.dataset.x,+g.dataset.w])}\n"
	" hit.sort((a,b)=>a[0]-b[0]||b[1]-a[1]);let sum=0,end=-1;\n"
	" for(const[x,w]of hit)if(x>=end-1e-9){sum+=w;end=x+w}\n"
	" document.getElementById('found').textContent=s?(100*sum).toFixed(2)+' % found':''});\n"
	"]]></script>\n";

/* One flame graph being drawn. */
struct drawing {
	const struct export *exported;
	struct text *out;
	double whole;
	uint32_t rows;
	bool is_cut; /* chains deeper than the picture */
};

static void append_xml(const char *name, struct text *out)
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
static void append_color(const char *name, struct text *out)
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

	append_xml(part, out);
	if (!is_short && room)
		text_append(out, "..");
}

static void draw_frame(const struct drawing *drawing, const struct flame_node *node, double start)
{
	const struct export *exported = drawing->exported;
	struct text *out = drawing->out;
	double share = (double)export_weight(exported, &node->total) / drawing->whole;
	double x = MARGIN + start * (WIDTH - 2 * MARGIN), width = share * (WIDTH - 2 * MARGIN);
	uint32_t y = HEAD + (drawing->rows - node->depth) * ROW;

	text_format(out, "<g class=\"f\" data-x=\"%.9f\" data-w=\"%.9f\" data-d=\"%u\" data-n=\"", start, share, node->depth);
	append_xml(node->name, out);
	text_append(out, "\"><title>");
	append_xml(node->name, out);
	text_format(out, " (%llu samples, %.2f %%)</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"",
		    (unsigned long long)node->total.samples, 100 * share, x, y, width, ROW - 1);
	append_color(node->name, out);
	text_format(out, "\"/><text x=\"%.2f\" y=\"%u\">", x + 3, y + ROW - 5);
	append_label(node->name, width, out);
	text_append(out, "</text></g>\n");
}

/* Each node after its parent, siblings from left to right; no recursion, chains may be deep. */
static void draw_frames(struct drawing *drawing)
{
	const struct flame_tree *tree = drawing->exported->tree;
	auto_free double *starts = memory_zeroed(tree->count, sizeof(*starts));
	auto_free uint32_t *waiting = memory_zeroed(tree->count + 1, sizeof(*waiting));
	size_t count = 0;

	waiting[count++] = 0;
	while (count) {
		const struct flame_node *node = &tree->nodes[waiting[--count]];
		double start = starts[node - tree->nodes];

		draw_frame(drawing, node, start);
		for (uint32_t child = node->first_child; child; child = tree->nodes[child].next) {
			double share = (double)export_weight(drawing->exported, &tree->nodes[child].total) / drawing->whole;

			starts[child] = start;
			start += share;
			drawing->is_cut |= tree->nodes[child].depth > drawing->rows;
			if (share * WIDTH >= LEAST_WIDTH && tree->nodes[child].depth <= drawing->rows)
				waiting[count++] = child;
		}
	}
}

void export_svg(const struct export *exported, struct text *out)
{
	const struct flame_tree *tree = exported->tree;
	struct drawing drawing = { exported, out, (double)export_weight(exported, &tree->nodes[0].total),
				   tree->depth < ROWS_MAX ? tree->depth : ROWS_MAX, false };
	uint32_t height = HEAD + (drawing.rows + 1) * ROW + 25;

	if (!(drawing.whole > 0))
		drawing.whole = 1;
	text_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		    "height=\"%u\" viewBox=\"0 0 %d %u\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		    WIDTH, height, WIDTH, height, style);
	text_format(out, "<text x=\"%d\" y=\"24\">", MARGIN);
	append_xml(exported->command ? exported->command : "flame graph", out);
	text_append(out, " - ");
	append_xml(exported->event, out);
	text_format(out, ", %llu samples</text>\n<text id=\"search\" class=\"b\" x=\"%d\" y=\"24\">search</text>\n"
		    "<text id=\"found\" x=\"%d\" y=\"24\"></text>\n", (unsigned long long)tree->nodes[0].total.samples,
		    WIDTH - 200, WIDTH - 140);
	draw_frames(&drawing);
	text_format(out, "<text x=\"%d\" y=\"%u\">click: zoom%s</text>\n", MARGIN, height - 8,
		    drawing.is_cut ? "; chains deeper than the picture are cut" : "");
	text_append(out, script);
	text_append(out, "</svg>\n");
}
