/* What parts of a screen look like. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

enum role {
	ROLE_NORMAL,
	ROLE_TITLE,    /* top line */
	ROLE_HEADS,    /* column heads */
	ROLE_STATUS,   /* bottom line */
	ROLE_SELECTED, /* the line the keys act on */
	ROLE_HOT,      /* much of the cost; grown */
	ROLE_WARM,     /* some of it; shrunk */
	ROLE_DIM,      /* source lines, hints */
	ROLE_KEY,      /* keys of the help */
	ROLE_COUNT,
};

/* Attributes as attrset(3) takes them. */
struct theme {
	unsigned long attributes[ROLE_COUNT];
};

/* After the terminal is open: 256 colours, 8, or none, also when NO_COLOR is set. */
void theme_init(struct theme *ret);

#endif
