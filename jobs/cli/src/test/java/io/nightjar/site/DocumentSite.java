package io.nightjar.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The Markdown pages of the repository as a static site: HTML that needs neither scripts nor a network. */
public final class DocumentSite {

    /*
     * The site has the folders of the repository: docs/levels.md becomes docs/levels.html, a README.md the index.html of
     * its folder. Other files that pages link to are copied. A link to a folder leads to its README.md; without one only
     * its text remains. Headings have the anchors that hosts of repositories derive from them.
     *
     * The sections of docs/README.md are the navigation: each section is a kind of page, each link in it a page.
     */

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final Path HOME = Path.of("README.md");
    private static final Path MAP = Path.of("docs/README.md");
    private static final String STYLE = "style.css";
    private static final int MIN_SECTIONS = 3; // for a list of them at the top of the page

    private record Section(String title, String anchor) {}

    private record Page(Node document, String title, List<Section> sections, Map<Node, String> anchors) {}

    private record Kind(String title, List<Path> pages) {}

    private final Path root;
    private final Map<Path, Page> pages = new TreeMap<>(); // by path below the root
    private final Set<Path> copies = new HashSet<>(); // other linked files
    private final List<Kind> kinds = new ArrayList<>();

    private DocumentSite(Path root) {
        this.root = root;
    }

    /** Reads the pages of a repository. */
    public static DocumentSite read(Path root) throws IOException {
        DocumentSite site = new DocumentSite(root);
        for (Path file : markdownFiles(root)) {
            Page page = parse(Files.readString(file));
            if (!page.title().isEmpty()) { // else a part of a generated page
                site.pages.put(root.relativize(file), page);
            }
        }
        site.pages.forEach(site::resolveLinks);
        site.readKinds();
        return site;
    }

    private static List<Path> markdownFiles(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !root.relativize(file).toString().matches("(?:.*/)?(?:target|src|\\.[^/]+)/.*"))
                    .toList();
        }
    }

    List<String> kinds() {
        return kinds.stream().map(Kind::title).toList();
    }

    /** Returns the pages in the navigation. */
    List<Path> navigated() {
        return kinds.stream().flatMap(kind -> kind.pages().stream()).toList();
    }

    // ---------------------------------------------------------------- pages

    private static Page parse(String markdown) {
        Node document = PARSER.parse(markdown);
        List<Section> sections = new ArrayList<>();
        Map<Node, String> anchors = new HashMap<>();
        Map<String, Integer> uses = new HashMap<>();
        String[] title = {""};
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String text = textOf(heading);
                String anchor = text.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                int use = uses.merge(anchor, 1, Integer::sum);
                anchors.put(heading, use == 1 ? anchor : anchor + "-" + (use - 1));
                if (heading.getLevel() == 1) {
                    title[0] = text;
                } else if (heading.getLevel() == 2) {
                    sections.add(new Section(text, anchors.get(heading)));
                }
            }
        });
        return new Page(document, title[0], sections, anchors);
    }

    private static String textOf(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak part) {
                text.append(' ');
            }
        });
        return text.toString();
    }

    private void readKinds() {
        Map<String, List<Path>> byKind = new LinkedHashMap<>();
        for (Node node = page(MAP).document().getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading && heading.getLevel() == 2) {
                byKind.put(textOf(heading), new ArrayList<>());
            }
            List<Path> listed = byKind.isEmpty() ? new ArrayList<>() : last(byKind.values());
            node.accept(new AbstractVisitor() {
                @Override
                public void visit(Link link) {
                    pages.keySet().stream()
                            .filter(page -> addressOf(page).equals(MAP.resolveSibling(link.getDestination())))
                            .forEach(listed::add);
                }
            });
        }
        byKind.forEach((title, listed) -> kinds.add(new Kind(title, listed)));
    }

    private Page page(Path path) {
        Page page = pages.get(path);
        if (page == null) {
            throw new IllegalArgumentException("no such page: page=" + path);
        }
        return page;
    }

    private static <T> T last(Iterable<T> elements) {
        T last = null;
        for (T element : elements) {
            last = element;
        }
        return last;
    }

    // ---------------------------------------------------------------- links

    /** Points the links of a page to files of the site; a link to a missing file remains as it is. */
    private void resolveLinks(Path path, Page page) {
        List<Link> withoutTarget = new ArrayList<>();
        page.document().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String target = resolved(path, link.getDestination());
                if (target == null) {
                    withoutTarget.add(link);
                } else {
                    link.setDestination(target);
                }
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                String target = resolved(path, image.getDestination());
                if (target != null) {
                    image.setDestination(target);
                }
            }
        });
        for (Link link : withoutTarget) {
            while (link.getFirstChild() != null) {
                link.insertBefore(link.getFirstChild());
            }
            link.unlink();
        }
    }

    /** Returns the address of a target on the site, or null for a folder without a page. */
    private String resolved(Path from, String target) {
        if (target.startsWith("#") || target.contains(":")) {
            return target;
        }
        int hash = target.indexOf('#');
        String anchor = hash < 0 ? "" : target.substring(hash);
        Path file = from.resolveSibling(hash < 0 ? target : target.substring(0, hash))
                .normalize();
        if (Files.isDirectory(root.resolve(file))) {
            file = file.resolve("README.md");
            if (!pages.containsKey(file)) {
                return null;
            }
        }
        if (pages.containsKey(file)) {
            return relative(from, addressOf(file)) + anchor;
        }
        if (Files.isRegularFile(root.resolve(file))) {
            copies.add(file);
        }
        return target;
    }

    private static Path addressOf(Path page) {
        String name = page.getFileName().toString();
        return page.resolveSibling(name.equals("README.md") ? "index.html" : name.replaceAll("\\.md$", ".html"));
    }

    private static String relative(Path from, Path target) {
        Path folder = from.getParent();
        return folder == null ? target.toString() : folder.relativize(target).toString();
    }

    // ---------------------------------------------------------------- files

    /** Writes the site into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve(STYLE), resource("/io/nightjar/jobs/report/report.css") + resource("site.css"));
        for (Path copy : copies) {
            Path target = folder.resolve(copy);
            Files.createDirectories(target.getParent());
            Files.copy(root.resolve(copy), target, StandardCopyOption.REPLACE_EXISTING);
        }
        for (Map.Entry<Path, Page> page : pages.entrySet()) {
            Path target = folder.resolve(addressOf(page.getKey()));
            Files.createDirectories(target.getParent());
            Files.writeString(target, html(page.getKey(), page.getValue()));
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = DocumentSite.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private String html(Path path, Page page) {
        String body = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Heading) {
                        attributes.put("id", page.anchors().get(node));
                    } else if (node instanceof TableCell cell && cell.isHeader()) {
                        attributes.put("scope", "col");
                    } else if (tag.equals("pre")) {
                        attributes.put("tabindex", "0"); // scrolls
                    }
                })
                .build()
                .render(page.document())
                .replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>")
                .replace("</table>", "</table></div>")
                .replaceFirst("</h1>", "</h1>" + sections(page).replace("$", "\\$"));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="stylesheet" href="%s">
                </head>
                <body class="site">
                <header class="top"><span class="brand"><a href="%s">Nightjar</a></span><a href="#pages">All pages</a></header>
                <main>
                %s</main>
                <nav id="pages" aria-label="All pages">%s</nav>
                <footer>Apache License 2.0</footer>
                </body>
                </html>
                """
                .formatted(
                        escaped(path.equals(HOME) ? page.title() : page.title() + " · Nightjar"),
                        relative(path, Path.of(STYLE)),
                        relative(path, addressOf(HOME)),
                        body,
                        navigation(path));
    }

    private static String sections(Page page) {
        if (page.sections().size() < MIN_SECTIONS) {
            return "";
        }
        StringBuilder html = new StringBuilder("\n<details class=\"sections\"><summary>On this page</summary><ul>");
        for (Section section : page.sections()) {
            html.append("<li><a href=\"#%s\">%s</a></li>".formatted(section.anchor(), escaped(section.title())));
        }
        return html.append("</ul></details>").toString();
    }

    private String navigation(Path current) {
        StringBuilder html = new StringBuilder();
        for (Kind kind : kinds) {
            html.append("<h2>").append(escaped(kind.title())).append("</h2><ul>");
            for (Path path : kind.pages()) {
                html.append("<li><a href=\"%s\"%s>%s</a></li>"
                        .formatted(
                                relative(current, addressOf(path)),
                                path.equals(current) ? " aria-current=\"page\"" : "",
                                escaped(page(path).title())));
            }
            html.append("</ul>");
        }
        return html.toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
