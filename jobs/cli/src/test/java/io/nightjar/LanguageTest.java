package io.nightjar;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Vague words and metaphors in comments, messages, documents and declared names are counted per file; counts may only
 * shrink.
 */
class LanguageTest {

    /*
     * language-baseline.tsv holds the counts that remain: file, scope, expression, count. A count that rises fails the
     * test. One that falls fails it too, until the baseline is written again with -Dnightjar.language=write, so that it
     * cannot rise later. language-allow.tsv holds text that is exempt: expression, file, text and one of three reasons
     * (frozen output, text of a foreign system, term of a cited paper).
     */

    private static final Path ROOT = root();
    private static final Path RESOURCES = Path.of("src", "test", "resources", "language");
    private static final Path BASELINE = RESOURCES.resolve("language-baseline.tsv");
    private static final Path ALLOWED = RESOURCES.resolve("language-allow.tsv");

    private enum Scope {
        COMMENT,
        MESSAGE,
        DOCUMENT,
        NAME
    }

    private static final List<Pattern> EXPRESSIONS = Stream.of(
                    "tell(s|ing)?|told",
                    "says?|said",
                    "knows?|knew",
                    "deals?|dealt|dealing",
                    "(put|set)(s|ting)? (\\w+ )?aside",
                    "look(s|ed|ing)? (at|through|for|back|after|up|again)",
                    "hears?|heard",
                    "judg(e|es|ed|ing)",
                    "stands?|stood|standing",
                    "(go|goes|went|going|gone) (on|round|through|by)",
                    "(come|comes|came) (out|to|along|behind|up)",
                    "(some|any|every)(body|one)|nobody|whoever|no one",
                    "there (is|are|was|were)",
                    "(for|by) (itself|themselves)",
                    "of (its|their) own",
                    "as such|odd(ly|ity|ities)?",
                    "elsewhere|somewhere",
                    "what(?! if)",
                    "whatever|whichever|wherever",
                    "those (that|which|of|who)",
                    "(a|an|the|this|that) one",
                    "behind|beside",
                    "nothing but|but for|all but",
                    "pass(es|ed|ing)? over",
                    "(left|leaves?|leaving) out",
                    "meanwhile|by then|from then on",
                    "attics?|chapters?|stations?",
                    "cannot happen")
            .map(expression -> Pattern.compile("\\b(?:" + expression + ")\\b", Pattern.CASE_INSENSITIVE))
            .toList();

    private static final List<String> WORDS_OF_NAMES = List.of(
            "tell",
            "told",
            "say",
            "said",
            "deal",
            "dealt",
            "look",
            "judge",
            "attic",
            "chapter",
            "chapters",
            "station",
            "stations",
            "odd",
            "nobody",
            "behind",
            "beside",
            "room",
            "most",
            "least",
            "longest",
            "fewest");

    private record Allowed(String expression, String file, String text, String reason) {}

    @Test
    void countsOfVagueExpressionsOnlyShrink() throws IOException {
        List<String> counts = count();
        if ("write".equals(System.getProperty("nightjar.language"))) {
            Files.write(BASELINE, counts);
            return;
        }
        assertThat(counts)
                .as("Use the vocabulary of CONTRIBUTING.md; where a count fell: -Dnightjar.language=write")
                .isEqualTo(Files.readAllLines(BASELINE));
    }

    @Test
    void exemptionsHaveAnAcceptedReason() throws IOException {
        assertThat(allowed()).allSatisfy(exempt -> assertThat(exempt.reason())
                .isIn("frozen output", "text of a foreign system", "term of a cited paper"));
    }

    // ---------------------------------------------------------------- counting

    private static List<String> count() throws IOException {
        List<Allowed> allowed = allowed();
        Map<String, Integer> counts = new TreeMap<>();
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(LanguageTest::isCounted).forEach(sources::add);
        }
        for (Path file : sources) {
            String name = ROOT.relativize(file).toString();
            String text = Files.readString(file);
            BiConsumer<Scope, String> counter = (scope, passage) -> add(counts, allowed, name, scope, passage);
            if (name.endsWith(".md")) {
                counter.accept(Scope.DOCUMENT, withoutCode(text));
            } else {
                split(text, counter);
            }
        }
        countNames(sources, counts);
        return counts.entrySet().stream()
                .map(count -> count.getKey() + '\t' + count.getValue())
                .toList();
    }

    private static boolean isCounted(Path file) {
        String name = ROOT.relativize(file).toString();
        if (name.contains("/target/") || name.startsWith("target/") || name.contains("node_modules/")) {
            return false;
        }
        boolean isDocument = name.endsWith(".md") && !name.contains("docs/decisions/") && !name.equals("CHANGELOG.md");
        return isDocument || name.endsWith(".java") && name.contains("src/main/java/");
    }

    private static void add(
            Map<String, Integer> counts, List<Allowed> allowed, String file, Scope scope, String passage) {
        String text = passage.replaceAll("\\s*\\n[ *]*", " ");
        for (Pattern expression : EXPRESSIONS) {
            String plain = expression.pattern().replaceAll("^\\\\b\\(\\?:|\\)\\\\b$", "");
            String counted = text;
            for (Allowed exempt : allowed) {
                if (exempt.expression().equals(plain) && exempt.file().equals(file)) {
                    counted = counted.replace(exempt.text(), "");
                }
            }
            int hits = (int) expression.matcher(counted).results().count();
            if (hits > 0) {
                counts.merge(file + '\t' + scope.name().toLowerCase(Locale.ROOT) + '\t' + plain, hits, Integer::sum);
            }
        }
    }

    private static List<Allowed> allowed() throws IOException {
        return Files.readAllLines(ALLOWED).stream()
                .map(line -> line.split("\t", -1))
                .map(cells -> new Allowed(cells[0], cells[1], cells[2], cells[3]))
                .toList();
    }

    private static String withoutCode(String markdown) {
        return markdown.replaceAll("(?s)```.*?```", "").replaceAll("`[^`\\n]*`", "");
    }

    // ---------------------------------------------------------------- parts of a Java file

    private static final Pattern TOKEN = Pattern.compile("(?s)(/\\*.*?\\*/)|(//[^\\n]*)|(\"\"\".*?(?<!\\\\)\"\"\")"
            + "|(\"(?:\\\\.|[^\"\\\\\\n])*\")|('(?:\\\\.|[^'\\\\\\n])+')");

    private static void split(String source, BiConsumer<Scope, String> counter) {
        StringBuilder comments = new StringBuilder();
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            if (token.group(1) != null || token.group(2) != null) {
                comments.append(token.group()
                                .replaceAll("\\{@(link|code|value)[^}]*}", "")
                                .replaceAll("^//|^/\\*+|\\*/$", ""))
                        .append('\n');
            } else if (token.group(5) == null) {
                counter.accept(Scope.MESSAGE, token.group());
            }
        }
        counter.accept(Scope.COMMENT, comments.toString());
    }

    private static void countNames(List<Path> sources, Map<String, Integer> counts) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> java = sources.stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(java));
            for (CompilationUnitTree unit : task.parse()) {
                String file =
                        ROOT.relativize(Path.of(unit.getSourceFile().toUri())).toString();
                new DeclaredNames(name -> {
                            for (String word : name.split("_|(?<=[a-z0-9])(?=[A-Z])")) {
                                String lower = word.toLowerCase(Locale.ROOT);
                                if (WORDS_OF_NAMES.contains(lower)) {
                                    counts.merge(file + "\tname\t" + lower, 1, Integer::sum);
                                }
                            }
                        })
                        .scan(unit, null);
            }
        }
    }

    private static final class DeclaredNames extends TreeScanner<Void, Void> {

        private final Consumer<String> consumer;

        DeclaredNames(Consumer<String> consumer) {
            this.consumer = consumer;
        }

        @Override
        public Void visitClass(ClassTree node, Void unused) {
            consumer.accept(node.getSimpleName().toString());
            return super.visitClass(node, unused);
        }

        @Override
        public Void visitMethod(MethodTree node, Void unused) {
            consumer.accept(node.getName().toString());
            return super.visitMethod(node, unused);
        }

        @Override
        public Void visitVariable(VariableTree node, Void unused) {
            consumer.accept(node.getName().toString());
            return super.visitVariable(node, unused);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("nightjar"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new UncheckedIOException(new IOException("repository root not found"));
            }
        }
        return folder;
    }
}
