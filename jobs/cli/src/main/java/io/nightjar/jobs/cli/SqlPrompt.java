package io.nightjar.jobs.cli;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.RowLimit;
import io.nightjar.jobs.sql.SqlScanner;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A prompt for SQL: statements over several lines until a semicolon, commands that begin with a dot, completion of
 * names. Ctrl-C discards a line or stops a statement, Ctrl-D ends the prompt.
 */
final class SqlPrompt {

    private static final String HISTORY_FILE = ".nightjar_sql_history";
    private static final long DEFAULT_ROWS = 100;

    private static final String HELP =
            """
            .help                 this text
            .tables               the tables and views
            .schema TABLE         the columns of one
            .mode box|table|json|csv|markdown
            .rows N               show so many rows of each result; 0 for all
            .timer on|off         print the time of each statement
            .read FILE            run the statements of a file
            .quit                 leave, as Ctrl-D does
            Statements end with a semicolon. history('FILE') is a table of any history.""";

    private static final List<String> COMMANDS = HELP.lines()
            .map(line -> line.split(" ")[0])
            .filter(name -> name.startsWith("."))
            .toList();

    private final SqlSession session;
    private final Path historyFile;
    private final PrintWriter out;
    private final org.jline.terminal.Terminal terminal;
    private OutputMode mode;
    private long rowLimit = DEFAULT_ROWS;
    private boolean hasTimer;

    SqlPrompt(SqlSession session, OutputMode mode) throws IOException {
        this(
                session,
                mode,
                TerminalBuilder.builder().system(true).dumb(true).build(),
                Path.of(System.getProperty("user.home"), HISTORY_FILE));
    }

    SqlPrompt(SqlSession session, OutputMode mode, org.jline.terminal.Terminal terminal, Path historyFile) {
        this.session = session;
        this.mode = mode;
        this.terminal = terminal;
        this.historyFile = historyFile;
        this.out = terminal.writer();
    }

    /** Reads and runs statements until the user ends the prompt. */
    void run() throws IOException {
        LineReader reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("nightjar")
                .parser(new StatementParser())
                .completer(new NameCompleter(session))
                .variable(LineReader.HISTORY_FILE, historyFile)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "     ...> ")
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
        terminal.handle(Signal.INT, signal -> session.cancel());
        try (terminal) {
            out.println("SQL over the anomaly tables; .help shows the commands");
            boolean goesOn = true;
            while (goesOn) {
                goesOn = step(reader);
                out.flush();
            }
        }
    }

    private boolean step(LineReader reader) {
        try {
            return obey(reader.readLine("nightjar> ").strip());
        } catch (UserInterruptException lineGivenUp) {
            return true;
        } catch (EndOfFileException left) {
            return false;
        }
    }

    /** Returns whether to continue. */
    private boolean obey(String line) {
        if (line.startsWith(".")) {
            return obeyCommand(line);
        }
        runSql(line);
        return true;
    }

    private boolean obeyCommand(String line) {
        String[] words = line.split("[\\s;]+");
        switch (words[0].toLowerCase(Locale.ROOT)) {
            case ".quit", ".exit" -> {
                return false;
            }
            case ".help" -> out.println(HELP);
            case ".tables" ->
                runSql("SELECT DISTINCT table_name FROM duckdb_columns()"
                        + " WHERE NOT internal AND schema_name = 'main' ORDER BY table_name");
            case ".schema" -> {
                if (words.length == 2) {
                    runSql("SELECT column_name, column_type FROM (DESCRIBE " + words[1] + ")");
                } else {
                    out.println("name one table: .schema TABLE");
                }
            }
            case ".mode" -> changeMode(words);
            case ".rows" -> changeRows(words);
            case ".timer" -> changeTimer(words);
            case ".read" -> read(line.substring(words[0].length()).strip());
            default ->
                out.println(SanitizedText.flat("no such command: " + words[0] + "; the commands are "
                        + String.join(" ", COMMANDS) + " (.help explains them); SQL does not start with a dot"));
        }
        return true;
    }

    private void changeMode(String[] words) {
        try {
            mode = OutputMode.valueOf(words.length == 2 ? words[1].toUpperCase(Locale.ROOT) : "");
        } catch (IllegalArgumentException unknown) {
            out.println(
                    "the mode is " + mode.name().toLowerCase(Locale.ROOT) + "; others: box table json csv markdown");
        }
    }

    private void changeRows(String[] words) {
        if (words.length == 2 && words[1].matches("\\d{1,18}")) {
            rowLimit = Long.parseLong(words[1]);
        } else {
            out.println("rows shown of each result: " + (rowLimit == 0 ? "all" : rowLimit) + "; .rows N changes that");
        }
    }

    private void changeTimer(String[] words) {
        if (words.length == 2 && List.of("on", "off").contains(words[1])) {
            hasTimer = words[1].equals("on");
        } else {
            out.println("the timer is " + (hasTimer ? "on" : "off") + "; .timer on|off changes that");
        }
    }

    private void read(String file) {
        if (file.isEmpty()) {
            out.println("name a file: .read FILE");
            return;
        }
        try {
            runSql(Files.readString(Path.of(file)));
        } catch (IOException | InvalidPathException unreadable) {
            out.println("cannot read: file=" + file + " reason=" + unreadable.getMessage());
        }
    }

    private void runSql(String sql) {
        int width = terminal.getWidth() > 0 ? terminal.getWidth() : Integer.MAX_VALUE;
        PrintStream results = new PrintStream(terminal.output(), false, StandardCharsets.UTF_8);
        long startNs = System.nanoTime();
        try {
            RowLimit limited = new RowLimit(
                    mode.sink(results, Integer.MAX_VALUE, width), rowLimit == 0 ? Long.MAX_VALUE : rowLimit);
            session.run(sql, limited);
            if (limited.hidden() > 0) {
                results.printf("%,d more rows; .rows N shows more, .rows 0 all%n", limited.hidden());
            }
            if (hasTimer) {
                results.printf(Locale.ROOT, "time: %.3f s%n", (System.nanoTime() - startNs) / 1e9);
            }
        } catch (UsageException | LakeException | MalformedHistoryException | UncheckedIOException e) {
            results.println(SanitizedText.lines(e.getMessage()));
        }
        results.flush();
    }

    /** Requests another line until a statement is complete. */
    private static final class StatementParser implements Parser {

        private final DefaultParser words = new DefaultParser();

        StatementParser() {
            words.setQuoteChars(new char[0]);
            words.setEscapeChars(new char[0]);
            words.setEofOnUnclosedQuote(false);
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            boolean isAsked = context != ParseContext.COMPLETE && !line.strip().startsWith(".");
            if (isAsked && !SqlScanner.isComplete(line)) {
                throw new EOFError(-1, -1, "statement is not complete");
            }
            return words.parse(line, cursor, context);
        }
    }

    /** Names of tables and columns, the words of the language, and files where a history is named. */
    private static final class NameCompleter implements Completer {

        private final SqlSession session;
        private @Nullable List<String> keywords;

        NameCompleter(SqlSession session) {
            this.session = session;
        }

        @Override
        public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
            if (keywords == null) {
                keywords = session.keywords();
            }
            List<String> names = new ArrayList<>(session.tableNames());
            names.addAll(session.columnNames());
            names.addAll(keywords);
            names.add("history('");
            if (line.wordIndex() == 0) {
                names.addAll(COMMANDS);
            }
            String word = line.word();
            int quote = word.lastIndexOf("('");
            if (quote >= 0 && word.indexOf('\'', quote + 2) < 0) {
                addFiles(word, quote + 2, "')", candidates);
                return;
            }
            if (line.wordIndex() > 0 && line.words().get(0).equals(".read")) {
                addFiles(word, 0, "", candidates);
                return;
            }
            // The names follow the last bracket, comma or point of the typed text.
            int start = 0;
            for (int i = 0; i < word.length(); i++) {
                start = "(,=<>".indexOf(word.charAt(i)) >= 0 || (word.charAt(i) == '.' && i > 0) ? i + 1 : start;
            }
            for (String name : names) {
                candidates.add(new Candidate(word.substring(0, start) + name, name, null, null, null, null, true));
            }
        }

        /** Adds the entries of the folder that was typed so far, from {@code start} in the word on. */
        private static void addFiles(String word, int start, String end, List<Candidate> candidates) {
            String typed = word.substring(start);
            String folder = typed.substring(0, typed.lastIndexOf('/') + 1);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(folder.isEmpty() ? "." : folder))) {
                for (Path entry : entries) {
                    String name = entry.getFileName().toString();
                    if (name.startsWith(".") || name.indexOf('\'') >= 0) {
                        continue;
                    }
                    boolean isFolder = Files.isDirectory(entry);
                    String value = word.substring(0, start) + folder + name + (isFolder ? "/" : end);
                    candidates.add(
                            new Candidate(value, name + (isFolder ? "/" : ""), null, null, null, null, !isFolder));
                }
            } catch (IOException | InvalidPathException noSuchFolder) {
                return; // then it has no completions
            }
        }
    }
}
