/* A dictionary as a balanced tree: Adelson-Velsky and Landis (1962), with insertion and removal. */
#include "toolbox_common.h"

enum { TREE_KEYS = SIZE };

typedef struct Node Node;
struct Node {
    Node *left, *right;
    uint32_t key, value;
    int height;
};

static Node nodes[TREE_KEYS];
static Node *unused;

static int height_of(const Node *node)
{
    return node ? node->height : 0;
}

static void measure(Node *node)
{
    int left = height_of(node->left), right = height_of(node->right);
    node->height = 1 + (left > right ? left : right);
}

static Node *rotated_right(Node *node)
{
    Node *top = node->left;
    node->left = top->right;
    top->right = node;
    measure(node);
    measure(top);
    return top;
}

static Node *rotated_left(Node *node)
{
    Node *top = node->right;
    node->right = top->left;
    top->left = node;
    measure(node);
    measure(top);
    return top;
}

static Node *balanced(Node *node)
{
    int lean = height_of(node->left) - height_of(node->right);
    if (lean > 1) {
        if (height_of(node->left->left) < height_of(node->left->right))
            node->left = rotated_left(node->left);
        return rotated_right(node);
    }
    if (lean < -1) {
        if (height_of(node->right->right) < height_of(node->right->left))
            node->right = rotated_right(node->right);
        return rotated_left(node);
    }
    measure(node);
    return node;
}

/* Adds to the value of a key, which is 0 before. */
static Node *inserted(Node *node, uint32_t key, uint32_t value)
{
    if (!node) {
        CHECK(unused != NULL, "no node is left");
        node = unused;
        unused = node->left;
        node->left = node->right = NULL;
        node->key = key;
        node->value = value;
        node->height = 1;
        return node;
    }
    if (key == node->key) {
        node->value += value;
        return node;
    }
    if (key < node->key)
        node->left = inserted(node->left, key, value);
    else
        node->right = inserted(node->right, key, value);
    return balanced(node);
}

static Node *without_first(Node *node, Node **first)
{
    if (!node->left) {
        *first = node;
        return node->right;
    }
    node->left = without_first(node->left, first);
    return balanced(node);
}

static Node *removed(Node *node, uint32_t key)
{
    if (!node)
        return NULL;
    if (key < node->key) {
        node->left = removed(node->left, key);
    } else if (key > node->key) {
        node->right = removed(node->right, key);
    } else {
        Node *left = node->left, *right = node->right;
        node->left = unused;
        unused = node;
        if (!right)
            return left;
        right = without_first(right, &node);
        node->left = left;
        node->right = right;
    }
    return balanced(node);
}

static const Node *found(const Node *node, uint32_t key)
{
    while (node && node->key != key)
        node = key < node->key ? node->left : node->right;
    return node;
}

/* The digest of keys and values in order, counting them; heights are checked on the way. */
static uint32_t hash_tree(const Node *node, uint32_t hash, int *count)
{
    if (!node)
        return hash;
    int lean = height_of(node->left) - height_of(node->right);
    CHECK(lean >= -1 && lean <= 1, "the tree is not balanced");
    hash = hash_tree(node->left, hash, count);
    hash = hash_word(hash_word(hash, node->key), node->value);
    ++*count;
    return hash_tree(node->right, hash, count);
}

static void try_tree(void)
{
    Node *root = NULL;
    uint32_t state = 22, hits = 0;
    int count = 0;
    unused = NULL;
    for (int i = 0; i < TREE_KEYS; i++) {
        nodes[i].left = unused;
        unused = &nodes[i];
    }
    for (int i = 0; i < 4 * TREE_KEYS; i++) {
        uint32_t key = draw(&state, TREE_KEYS), what = draw(&state, 8);
        if (what < 4)
            root = inserted(root, key, what + 1);
        else if (what < 6)
            root = removed(root, key);
        else
            hits += found(root, key) != NULL;
    }
    uint32_t hash = hash_tree(root, HASH, &count);
    printf("tree %08x %d %u\n", (unsigned)hash, count, (unsigned)hits);
}
