package io.nightjar.jobs.cli;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.SqlScanner;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

/**
 * A prompt for SQL: statements over several lines until a semicolon, commands that begin with a dot, completion of names.
 * Ctrl-C gives up a line or stops a statement, Ctrl-D leaves.
 */
final class SqlPrompt {

    private static final String HISTORY_FILE = ".nightjar_sql_history";

    private static final String HELP =
            """
            .help                 this text
            .tables               the tables and views
            .schema TABLE         the columns of one
            .mode table|json|csv|markdown
            .quit                 leave, as Ctrl-D does
            Statements end with a semicolon. history('FILE') is a table of any history.""";

    private final SqlSession session;
    private final Path historyFile;
    private final PrintWriter out;
    private final org.jline.terminal.Terminal terminal;
    private OutputMode mode;

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

    /** Reads and runs until the user leaves. */
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
            out.println("SQL over the anomaly tables; .help tells more");
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

    /** Returns whether to go on. */
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
            default -> out.println("unknown command: name=" + words[0] + "; .help lists them");
        }
        return true;
    }

    private void changeMode(String[] words) {
        try {
            mode = OutputMode.valueOf(words.length == 2 ? words[1].toUpperCase(Locale.ROOT) : "");
        } catch (IllegalArgumentException unknown) {
            out.println("the mode is " + mode.name().toLowerCase(Locale.ROOT) + "; others: table json csv markdown");
        }
    }

    private void runSql(String sql) {
        int width = Math.max(40, terminal.getWidth() - 20);
        PrintStream results = new PrintStream(terminal.output(), false, StandardCharsets.UTF_8);
        try {
            session.run(sql, mode.sink(results, width));
        } catch (UsageException | LakeException | MalformedHistoryException | UncheckedIOException e) {
            results.println(e.getMessage());
        }
        results.flush();
    }

    /** Asks for another line until a statement is complete. */
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

    /** Names of tables and columns, and the words of the language. */
    private static final class NameCompleter implements Completer {

        private static final List<String> COMMANDS = List.of(".help", ".tables", ".schema", ".mode", ".quit");

        private final SqlSession session;
        private List<String> keywords;

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
            // The names are those behind the last bracket, comma or point of what was typed.
            int start = 0;
            for (int i = 0; i < word.length(); i++) {
                start = "(,=<>".indexOf(word.charAt(i)) >= 0 || (word.charAt(i) == '.' && i > 0) ? i + 1 : start;
            }
            for (String name : names) {
                candidates.add(new Candidate(word.substring(0, start) + name, name, null, null, null, null, true));
            }
        }
    }
}
