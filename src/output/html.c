/* Pages that ask for nothing else: one style for all of them. */
#include "output/html.h"

#include "base/text.h"

/* Between title and </title> stands the page's name. */
static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>";
static const char style[] =
	"</title>\n<style>\n"
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5b6470;--line:#d8dde3;--soft:#f4f6f8;"
	"--good:#0f7b3d;--bad:#b3261e;--open:#8a5a00;--band:#2f6fb720;"
	"--c0:#2f6fb7;--c1:#d1600a;--c2:#2e8b57;--c3:#8e4fb0;--c4:#b03060;--c5:#6b6b00}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e9ec;--dim:#9aa4af;--line:#333a42;--soft:#1d2226;"
	"--good:#5fd08a;--bad:#ff8a80;--open:#f0c060;--band:#7fb3f030;"
	"--c0:#7fb3f0;--c1:#ffa25c;--c2:#6fd39b;--c3:#cf9cf0;--c4:#f08fb0;--c5:#cfcf60}}\n"
	"*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);"
	"font:15px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:0 auto;padding:1.2rem 1rem 3rem}\n"
	"h1{font-size:1.3rem;margin:0 0 .6rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}\n"
	".verdict{border-left:4px solid var(--open);background:var(--soft);padding:.6rem .9rem;margin:.5rem 0}\n"
	".verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\n"
	"th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}th{color:var(--dim);font-weight:600}\n"
	"tr.gate td{font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)}.open{color:var(--open)}\n"
	".verdict.good,.verdict.bad,.verdict.open{color:inherit}\n"
	"svg{width:100%;height:auto;display:block;margin:.3rem 0}svg text{fill:var(--fg);font-size:13px}\n"
	"svg .t{fill:var(--dim);font-size:12px}svg .gate{font-weight:600}.grid{stroke:var(--line)}.zero{stroke:var(--dim)}\n"
	".band{fill:var(--band)}.ci{stroke-width:3;stroke-linecap:round}.ci.good{stroke:var(--good)}"
	".ci.bad{stroke:var(--bad)}.ci.open{stroke:var(--open)}.ci.plain{stroke:var(--dim)}\n"
	".pt.good{fill:var(--good)}.pt.bad{fill:var(--bad)}.pt.open{fill:var(--open)}.pt.plain{fill:var(--dim)}\n"
	".a0{fill:var(--c0)}.a1{fill:var(--c1)}.a2{fill:var(--c2)}.a3{fill:var(--c3)}.a4{fill:var(--c4)}.a5{fill:var(--c5)}\n"
	"circle.a0,circle.a1,circle.a2,circle.a3,circle.a4,circle.a5{fill-opacity:.75}\n"
	".box{fill:none;stroke:var(--dim)}.median{stroke:var(--fg);stroke-width:2}\n"
	"code,pre{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}pre.table{white-space:pre}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .8rem;margin:.4rem 0}dt{color:var(--dim)}"
	"dd{margin:0;overflow-wrap:anywhere}.key{display:inline-block;width:.8em;height:.8em;border-radius:50%;"
	"margin-right:.4em}ul{padding-left:1.2rem}li.w{color:var(--open)}\n"
	"input{font:inherit;padding:.2rem .5rem;margin:.4rem 0;width:min(24rem,100%);background:var(--bg);color:var(--fg);"
	"border:1px solid var(--line)}th[data-k]{cursor:pointer}tr.c td{font-weight:600}th.n,td.n{text-align:left}table.rows th:last-child,table.rows td:last-child{text-align:right}"
	"table.rows th.n:last-child,table.rows td.n:last-child{text-align:left}\n"
	".flame{background:#fff}.wide{overflow-x:auto}.wide svg{min-width:50rem}\n"
	"@media print{input{display:none}.scroll,.wide{overflow:visible}body{font-size:11px}}\n"
	"@media (max-width:36rem){th,td{padding:.25rem .4rem;font-size:13px}svg text{font-size:22px}svg .t{font-size:20px}}\n"
	"</style></head><body><main>\n";

/* Rows of a table.rows that hold what is typed; a click on a head sorts by its column; / goes to the field. */
static const char table_script[] =
	"<script>\n"
	"for(const t of document.querySelectorAll('table.rows')){const b=t.tBodies[0],f=t.parentNode.previousElementSibling;\n"
	" f.addEventListener('input',()=>{const s=f.value.toLowerCase();\n"
	"  for(const r of b.rows)r.style.display=r.textContent.toLowerCase().includes(s)?'':'none'});\n"
	" t.querySelectorAll('th').forEach((h,i)=>{h.dataset.k=i;let up=false;h.tabIndex=0;\n"
	"  const go=()=>{const v=r=>{const c=r.cells[i],n=parseFloat(c.dataset.v);return isNaN(n)?c.textContent:n};up=!up;\n"
	"   [...b.rows].sort((p,q)=>{const x=v(p),y=v(q),c=typeof x=='number'&&typeof y=='number'?y-x:\n"
	"    String(x).localeCompare(String(y));return up?c:-c}).forEach(r=>b.append(r))};\n"
	"  h.addEventListener('click',go);h.addEventListener('keydown',e=>{if(e.key=='Enter')go()})})}\n"
	"document.addEventListener('keydown',e=>{const f=document.querySelector('input');\n"
	" if(e.key=='/'&&f&&document.activeElement!=f){e.preventDefault();f.focus()}\n"
	" if(e.key=='Escape'&&f){f.value='';f.dispatchEvent(new Event('input'));f.blur()}});\n"
	"</script>\n";

void html_begin(const char *title, FILE *out)
{
	fputs(head, out);
	html_text(title, out);
	fputs(style, out);
	fputs("<h1>", out);
	html_text(title, out);
	fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
	fputs("</main></body></html>\n", out);
}

void html_rows_script(FILE *out)
{
	fputs(table_script, out);
}

void html_text(const char *text, FILE *out)
{
	auto_text struct text safe = { 0 };

	text_append_escaped(&safe, text);
	for (const char *at = safe.bytes ? safe.bytes : ""; *at; at++) {
		if (*at == '&')
			fputs("&amp;", out);
		else if (*at == '<')
			fputs("&lt;", out);
		else if (*at == '>')
			fputs("&gt;", out);
		else if (*at == '"')
			fputs("&quot;", out);
		else
			fputc(*at, out);
	}
}

void html_term(const char *name, const char *value, FILE *out)
{
	if (!value)
		return;
	fprintf(out, "<dt>%s</dt><dd>", name);
	html_text(value, out);
	fputs("</dd>\n", out);
}
