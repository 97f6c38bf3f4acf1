package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's names for unnamed columns of a query. */
final class ColumnNames {

    private static final Set<String> ENDS =
            SqlWords.set("from where group having window order limit offset fetch for union except intersect");

    private static final Set<String> CONSTANTS = Set.of("null", "true", "false");

    private static final Set<String> OPERATORS =
            SqlWords.set("not and or is in like ilike between any all some select");

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("int", "int4"),
            Map.entry("integer", "int4"),
            Map.entry("smallint", "int2"),
            Map.entry("bigint", "int8"),
            Map.entry("real", "float4"),
            Map.entry("double", "float8"),
            Map.entry("float", "float8"),
            Map.entry("decimal", "numeric"),
            Map.entry("dec", "numeric"),
            Map.entry("boolean", "bool"),
            Map.entry("char", "bpchar"),
            Map.entry("character", "bpchar"));

    /** A name, null for none; a weak name yields to the name of a type or of CASE. */
    private record Name(@Nullable String text, boolean isWeak) {

        private static final Name NONE = new Name(null, true);
    }

    /** The words of one expression. */
    private record Item(int from, int to) {}

    private final List<Word> words;
    private int at;
    private int end;

    private ColumnNames(List<Word> words) {
        this.words = words;
    }

    /** Returns the names of the columns in a list that starts at a word; null where H2's name is correct. */
    static List<String> of(List<Word> words, int from) {
        return new ColumnNames(words).list(from, words.size());
    }

    /** Returns the column names of a query that starts at a word; null where H2's name is correct. */
    static List<String> ofQuery(StatementWords words, int from) {
        if (words.has(from, "values")) {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= words.valuesIn(from); i++) {
                names.add("column" + i);
            }
            return names;
        }
        int select = words.topLevel("select", from);
        return select < 0 ? List.of() : of(words.all(), select + 1);
    }

    /** Returns the column names of a query without rows: the last words of its columns. */
    static List<String> lastWords(StatementWords words, int from) {
        ColumnNames names = new ColumnNames(words.all());
        int select = words.topLevel("select", from);
        return names.items(select + 1, words.size()).stream()
                .map(item -> words.get(item.to() - 1))
                .map(word -> word.isName() ? word.text() : "?column?")
                .toList();
    }

    /** Returns the names of calls in the select list of a subquery, by the position after each; no name twice. */
    static Map<Integer, String> ofCalls(List<Word> words, int from) {
        ColumnNames names = new ColumnNames(words);
        Map<Integer, String> found = new HashMap<>();
        for (Item item : names.items(from, names.endOf(from - 2) - 1)) {
            String name = names.name(item);
            boolean isCall = words.get(item.from()).is("case") || names.is(item.from() + 1, "(");
            if (name != null && isCall && words.get(item.from()).is(name) && !found.containsValue(name)) {
                found.put(item.to(), name);
            }
        }
        return found;
    }

    private List<String> list(int from, int to) {
        return items(from, to).stream().map(this::name).collect(Collectors.toCollection(ArrayList::new));
    }

    private List<Item> items(int from, int to) {
        List<Item> items = new ArrayList<>();
        int start = is(from, "distinct") || is(from, "all") ? from + 1 : from;
        for (int position = start; position <= to; position = endOf(position)) {
            boolean isLast = position >= to || isEnd(position);
            if (isLast || is(position, ",")) {
                items.add(new Item(start, position));
                start = position + 1;
            }
            if (isLast) {
                break;
            }
        }
        return items;
    }

    /** Returns the name of a column, null where H2's name is correct. */
    private @Nullable String name(Item item) {
        boolean isAll = is(item.to() - 1, "*") && (item.to() - 1 == item.from() || is(item.to() - 2, "."));
        if (isAll) {
            return ColumnLabels.ALL;
        }
        String name = whole(item.from(), item.to()).text();
        Kind last = words.get(item.to() - 1).kind();
        boolean isNamed = name != null || last == Kind.NAME || last == Kind.QUOTED_NAME || last == Kind.SIGN;
        return isNamed ? name : "?column?";
    }

    private boolean isEnd(int position) {
        Word word = words.get(position);
        boolean isComparison = word.is("from") && is(position - 1, "distinct");
        boolean isNamed = is(position - 1, ".") || is(position - 1, "as") || is(position - 1, "within");
        return word.kind() == Kind.NAME && ENDS.contains(word.text()) && !isComparison && !isNamed;
    }

    /** Returns the name of an expression that spans all words of a range; none if operators or a name follow. */
    private Name whole(int from, int to) {
        int outerAt = at;
        int outerEnd = end;
        at = from;
        end = to;
        Name name = from < to ? nameAfter(primary()) : Name.NONE;
        Name found = at == to ? name : Name.NONE;
        at = outerAt;
        end = outerEnd;
        return found;
    }

    private Name primary() {
        Word word = words.get(at);
        if (word.is("(")) {
            int close = endOf(at) - 1;
            int inside = at + 1;
            at = close + 1;
            return is(inside, "select") ? subquery(inside + 1, close) : whole(inside, close);
        }
        if (word.kind() == Kind.STRING || word.kind() == Kind.NUMBER || word.kind() == Kind.PARAMETER) {
            at++;
            return Name.NONE;
        }
        if (!word.isName() || word.kind() == Kind.NAME && OPERATORS.contains(word.text())) {
            return Name.NONE;
        }
        if (word.is("case")) {
            return caseOf();
        }
        if (at + 1 < end && words.get(at + 1).kind() == Kind.STRING) {
            at += 2;
            return new Name(type(word), true);
        }
        if (word.is("array") && is(at + 1, "[")) {
            at = endOf(at + 1);
            return new Name("array", false);
        }
        while (is(at + 1, ".") && at + 2 < end && words.get(at + 2).isName()) {
            at += 2;
        }
        Word name = words.get(at++);
        if (!is(at, "(")) {
            boolean isConstant = name.kind() == Kind.NAME && CONSTANTS.contains(name.text());
            return isConstant ? Name.NONE : new Name(name.text(), false);
        }
        int open = at;
        at = endOf(open);
        if (name.is("cast")) {
            return cast(open + 1, at - 1);
        }
        if (name.is("trim")) {
            return new Name(is(open + 1, "leading") ? "ltrim" : is(open + 1, "trailing") ? "rtrim" : "btrim", false);
        }
        return new Name(name.text(), false);
    }

    private Name nameAfter(Name first) {
        Name name = first;
        while (at < end) {
            if (is(at, "::")) {
                at++;
                name = typed(name, at);
                passType();
            } else if (is(at, "[")) {
                at = endOf(at);
            } else if (is(at, "over") || is(at, "filter")) {
                at = endOf(at + 1);
            } else if (is(at, "within") && is(at + 1, "group")) {
                at = endOf(at + 2);
            } else if (is(at, "at") && is(at + 1, "time") && is(at + 2, "zone") && at + 3 < end) {
                at += 3;
                primary();
                name = new Name("timezone", false);
            } else {
                return name;
            }
        }
        return name;
    }

    private Name subquery(int from, int to) {
        List<String> names = list(from, to);
        return names.size() == 1 && !ColumnLabels.ALL.equals(names.get(0)) ? new Name(names.get(0), false) : Name.NONE;
    }

    private Name cast(int from, int to) {
        for (int position = from; position < to; position = endOf(position)) {
            if (is(position, "as")) {
                return typed(whole(from, position), position + 1);
            }
        }
        return Name.NONE;
    }

    private Name typed(Name name, int type) {
        return name.isWeak() && type < end ? new Name(type(words.get(type)), true) : name;
    }

    private static String type(Word word) {
        return TYPES.getOrDefault(word.text(), word.text());
    }

    private void passType() {
        at++;
        while (is(at, "precision") || is(at, "varying")) {
            at++;
        }
        if (is(at, "(")) {
            at = endOf(at);
        }
        if ((is(at, "with") || is(at, "without")) && is(at + 1, "time")) {
            at += 3;
        }
        while (is(at, "[")) {
            at = endOf(at);
        }
    }

    /** Returns the name of the ELSE expression, if it has one. */
    private Name caseOf() {
        int last = endOf(at);
        int otherwise = -1;
        for (int position = at + 1; position < last - 1; position = endOf(position)) {
            otherwise = is(position, "else") ? position : otherwise;
        }
        Name name = otherwise < 0 ? Name.NONE : whole(otherwise + 1, last - 1);
        at = last;
        return name.isWeak() ? new Name("case", true) : name;
    }

    private boolean is(int position, String text) {
        return position >= 0 && position < words.size() && words.get(position).is(text);
    }

    /** Returns the position after a word, or after the parentheses that it opens. */
    private int endOf(int from) {
        int depth = 0;
        int position = from;
        do {
            if (is(position, "(") || is(position, "[") || is(position, "case")) {
                depth++;
            } else if (is(position, ")") || is(position, "]") || is(position, "end")) {
                depth--;
            }
            position++;
        } while (depth > 0 && position < words.size());
        return position;
    }
}
