package io.nightjar.jobs.sql;

import io.nightjar.formats.file.Addresses;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One untrusted query over the tables of a lake: it reads those, accesses no other file, and changes nothing. */
public final class SandboxedQuery {

    /*
     * Three bounds, each sufficient against most attacks of a query:
     *
     *   it is the inside of a SELECT, where no statement fits that writes;
     *   the database opens no file outside the lake and nothing from the network, and accepts no other setting;
     *   rows, characters and memory are bounded, and the caller stops it after a while.
     */

    private static final String BEFORE = "SELECT * FROM (\n";
    private static final Pattern QUOTED_LINE = Pattern.compile("(?m)^LINE (\\d+)(: .*)$(\\R.*\\^.*$)?");

    private static final int MAX_CELL_CHARS = 4_000;

    private SandboxedQuery() {}

    /**
     * A result, cut to the size of a page.
     *
     * @param rows cells without the driver's types, long texts cut
     * @param areMore whether more rows exist
     */
    public record Answer(List<String> columns, List<List<Object>> rows, boolean areMore) {

        /** Returns the rows as comma-separated values with a header. */
        public String csv() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CsvSink csv = new CsvSink(new PrintStream(bytes, false, StandardCharsets.UTF_8));
            csv.begin(columns);
            rows.forEach(csv::row);
            csv.end();
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    /** Stops a query from another thread. */
    public interface Running {

        void stop();
    }

    /**
     * Runs a query.
     *
     * @param maxRows maximum number of rows of the result
     * @param watch is given a way to stop it before it begins
     * @throws UsageException if it is not one statement that reads, or fails
     */
    public static Answer run(Lake lake, String sql, int maxRows, java.util.function.Consumer<Running> watch) {
        List<String> statements = SqlScanner.statements(sql);
        if (statements.size() != 1) {
            throw new UsageException("one query at a time: statements=" + statements.size());
        }
        try (ScratchFolder scratch =
                        ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-query-");
                Connection connection = DuckDb.connect(scratch.path().resolve("spill"), false);
                Statement statement = connection.createStatement()) {
            RemoteCopies copies = new RemoteCopies(scratch.path());
            new LakeViews(connection, lake, copies).prepare(statements.get(0));
            for (String setting : bounds(Addresses.isRemote(lake.root()) ? copies.folder() : lake.root())) {
                statement.execute(setting);
            }
            watch.accept(() -> cancel(statement));
            String inside = BEFORE + statements.get(0) + "\n) LIMIT " + (maxRows + 1L);
            try (ResultSet result = statement.executeQuery(inside)) {
                return answer(result, maxRows);
            }
        } catch (SQLException e) {
            throw SqlSession.failure(inWordsOfQuery(SqlSession.text(e), statements.get(0)), e);
        }
    }

    /** Returns an error message that quotes lines of the query only, without the enclosing statement. */
    private static String inWordsOfQuery(String message, String query) {
        Matcher quote = QUOTED_LINE.matcher(message);
        if (!quote.find()) {
            return message;
        }
        long line = Long.parseLong(quote.group(1)) - 1; // BEFORE is a line
        if (line >= 1 && line <= query.lines().count()) {
            return quote.replaceFirst(Matcher.quoteReplacement("LINE " + line + quote.group(2) + quote.group(3)));
        }
        return quote.replaceFirst("").strip().replaceFirst("at or near \".*\"$", "at the end of the query");
    }

    private static List<String> bounds(Path tables) {
        String folder = tables.toAbsolutePath().normalize() + "/";
        return List.of(
                "SET allowed_directories = [" + LakeViews.literal(folder) + "]",
                "SET memory_limit = '512MiB'",
                "SET threads = 2",
                "SET enable_external_access = false",
                "SET lock_configuration = true");
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new LakeException("cannot stop a query: reason=" + e.getMessage(), e);
        }
    }

    private static Answer answer(ResultSet result, int maxRows) throws SQLException {
        ResultSetMetaData shape = result.getMetaData();
        List<String> columns = new ArrayList<>();
        for (int column = 1; column <= shape.getColumnCount(); column++) {
            columns.add(shape.getColumnLabel(column));
        }
        List<List<Object>> rows = new ArrayList<>();
        boolean areMore = false;
        while (!areMore && result.next()) {
            if (rows.size() == maxRows) {
                areMore = true;
            } else {
                List<Object> row = new ArrayList<>();
                for (int column = 1; column <= columns.size(); column++) {
                    row.add(cut(CellValue.of(result, column)));
                }
                rows.add(row);
            }
        }
        return new Answer(columns, rows, areMore);
    }

    private static @Nullable Object cut(@Nullable Object cell) {
        if (cell == null || cell instanceof Number || cell instanceof Boolean) {
            return cell;
        }
        String text = CellText.text(cell);
        if (text.length() <= MAX_CELL_CHARS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_CELL_CHARS - 1)) ? MAX_CELL_CHARS - 1 : MAX_CELL_CHARS;
        return text.substring(0, end) + "…+" + (text.length() - end);
    }
}
