/* The machine of toolbox_regex.h, and what it finds. */
#include "toolbox_common.h"

enum { REGEX_TEXT = 6 * SIZE };

/* Threads in order of preference; each is an instruction and where its match began. */
typedef struct {
    int count;
    int instruction[REGEX_PROGRAM], start[REGEX_PROGRAM];
} Threads;

static char regex_text[REGEX_TEXT + 64];
static int regex_text_size;
static int regex_seen[REGEX_PROGRAM], regex_step;

static void add_thread(Threads *threads, int at, int start, int place_in_text)
{
    if (regex_seen[at] == regex_step)
        return;
    regex_seen[at] = regex_step;
    const RegexInstruction *instruction = &regex_program[at];
    switch (instruction->operation) {
    case I_JUMP: add_thread(threads, instruction->first, start, place_in_text); break;
    case I_SPLIT:
        add_thread(threads, instruction->first, start, place_in_text);
        add_thread(threads, instruction->second, start, place_in_text);
        break;
    case I_START:
        if (place_in_text == 0)
            add_thread(threads, at + 1, start, place_in_text);
        break;
    case I_END:
        if (place_in_text == regex_text_size)
            add_thread(threads, at + 1, start, place_in_text);
        break;
    default:
        threads->instruction[threads->count] = at;
        threads->start[threads->count++] = start;
    }
}

/* The first match from a place on, and of those that begin there the preferred one. */
static int regex_find(int from, int *start, int *end)
{
    static Threads lists[2];
    Threads *now = &lists[0], *next = &lists[1];
    int matched = 0;
    now->count = 0;
    regex_step++;
    for (int at = from; at <= regex_text_size; at++) {
        if (!matched)
            add_thread(now, 0, at, at);
        if (now->count == 0 && matched)
            break;
        next->count = 0;
        regex_step++;
        int byte = at < regex_text_size ? (unsigned char)regex_text[at] : -1;
        for (int i = 0; i < now->count; i++) {
            const RegexInstruction *instruction = &regex_program[now->instruction[i]];
            if (instruction->operation == I_MATCH) {
                matched = 1;
                *start = now->start[i];
                *end = at;
                break;
            }
            if (byte >= 0 && instruction->set[byte / 32] >> byte % 32 & 1)
                add_thread(next, now->instruction[i] + 1, now->start[i], at + 1);
        }
        Threads *kept = now;
        now = next;
        next = kept;
    }
    return matched;
}

/* Lines as of a log: names, times, addresses, amounts. */
static void draw_regex_text(void)
{
    static const char *const names[] = {"anna", "Bob", "carol_1", "dave", "x"};
    uint32_t state = 77;
    regex_text_size = 0;
    while (regex_text_size < REGEX_TEXT) {
        char *out = regex_text + regex_text_size;
        const char *name = names[draw(&state, 5)];
        unsigned many = draw(&state, 900), few = draw(&state, 60);
        switch (draw(&state, 4)) {
        case 0: out += sprintf(out, "%u:%02u %s\n", many % 24, few, name); break;
        case 1: out += sprintf(out, "%s@host%u.example", name, few); break;
        case 2: out += sprintf(out, " -%u.%u ", many, few); break;
        default: out += sprintf(out, "<b>%s</b>\t", name);
        }
        regex_text_size = (int)(out - regex_text);
    }
    show("input-log", regex_text, (size_t)regex_text_size);
}

static void try_regex(void)
{
    static const char *const expressions[] = {
        "\\d+:\\d\\d",     "(\\w+)@(\\w+\\.)+\\w+", "-?\\d+(\\.\\d+)?",      "<b>.*</b>",
        "<b>.*?</b>",      "[A-Z][a-z]*|x+",        "[^\\s<>]{3,5}",         "a(n|nn|nna)a?",
        "^\\S+",           "(\\d{1,2}?)(\\d*)",     "(x|xx|[0-9]{2})+",      "\\W{2,}",
        ".$|[.]example.?", "[\\d.]+[^\\d.\\n]+",    "(ca|c)(rol|arol)_[12]",
    };
    draw_regex_text();
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        uint32_t hash = HASH;
        int found_here = 0, start = 0, end;
        regex_count = regex_length = 0;
        regex_at = expressions[i];
        regex_compile(regex_alternatives());
        CHECK(*regex_at == 0, "a bracket too much");
        regex_emit(I_MATCH);
        for (int from = 0; regex_find(from, &start, &end); from = end) {
            CHECK(end > start, "nothing is matched");
            hash = hash_word(hash_word(hash, (uint32_t)start), (uint32_t)end);
            found_here++;
        }
        printf("regex %08x %d %s\n", (unsigned)hash, found_here, expressions[i]);
    }
}
