package io.nightjar.jobs.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Elements of a page, parsed by rules stricter than a browser's: every element closed, every attribute in double
 * quotes.
 */
final class PageTags {

    private static final Set<String> VOID = Set.of("meta", "link", "input", "br");

    private final Set<String> elements = new TreeSet<>();
    private final Set<String> attributes = new TreeSet<>();
    private final List<String> ids = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int scripts;

    private PageTags() {}

    /** Parses a page; fails if it is not well formed. */
    static PageTags of(String html) {
        PageTags page = new PageTags();
        page.read(html);
        return page;
    }

    private void read(String html) {
        Deque<String> open = new ArrayDeque<>();
        int at = html.indexOf("<html");
        while (at < html.length()) {
            int tag = html.indexOf('<', at);
            if (tag < 0) {
                break;
            }
            text.append(html, at, tag);
            int end = endOfTag(html, tag);
            String inside = html.substring(tag + 1, end);
            at = end + 1;
            if (inside.startsWith("/")) {
                String expected = open.pop();
                if (!inside.equals("/" + expected)) {
                    throw new AssertionError("closed in the wrong order: expected=" + expected + " found=" + inside);
                }
                continue;
            }
            boolean isClosed = inside.endsWith("/");
            String name = inside.split("[\\s/]", 2)[0];
            elements.add(name);
            readAttributes(inside.substring(name.length()));
            if (name.equals("script") || name.equals("style")) {
                scripts += name.equals("script") ? 1 : 0;
                at = html.indexOf("</" + name + ">", at) + name.length() + 3;
            } else if (!isClosed && !VOID.contains(name)) {
                open.push(name);
            }
        }
        if (!open.isEmpty()) {
            throw new AssertionError("never closed: elements=" + open);
        }
    }

    private static int endOfTag(String html, int from) {
        boolean isQuoted = false;
        for (int i = from; i < html.length(); i++) {
            char c = html.charAt(i);
            isQuoted ^= c == '"';
            if (c == '>' && !isQuoted) {
                return i;
            }
        }
        throw new AssertionError(
                "a tag without an end: at=" + html.substring(from, Math.min(html.length(), from + 80)));
    }

    private void readAttributes(String text) {
        int at = 0;
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            String names = (equals < 0 ? text.substring(at) : text.substring(at, equals))
                    .replace("/", "")
                    .strip();
            for (String name : names.split("\\s+")) {
                if (!name.isEmpty()) {
                    attributes.add(name);
                }
            }
            if (equals < 0) {
                return;
            }
            int end = text.indexOf('"', equals + 2);
            if (text.charAt(equals + 1) != '"' || end < 0) {
                throw new AssertionError("an attribute without quotes: text=" + text);
            }
            if (names.equals("id")) {
                ids.add(text.substring(equals + 2, end));
            }
            at = end + 1;
        }
    }

    Set<String> elements() {
        return elements;
    }

    Set<String> attributes() {
        return attributes;
    }

    List<String> ids() {
        return ids;
    }

    int scripts() {
        return scripts;
    }

    /** Returns the raw text between tags. */
    String text() {
        return text.toString();
    }
}
