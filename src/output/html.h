/* HTML pages in one file: no request goes out, light and dark, at any width, on paper. */
#ifndef OUTPUT_HTML_H
#define OUTPUT_HTML_H

#include <stdio.h>

/* Head, style and <h1>; the end of the page. */
void html_begin(const char *title, FILE *out);
void html_end(FILE *out);
/* Text with &, <, > and quotes as entities, control characters escaped. */
void html_text(const char *text, FILE *out);
/* One line of a <dl>; nothing when value is NULL. name: no markup in it. */
void html_term(const char *name, const char *value, FILE *out);
/* Once, after all tables of class rows, each in a <div> behind an <input>: filter, sort, keys. */
void html_rows_script(FILE *out);

#endif
