package io.nightjar.formats.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Grouping of tables with scattered transactions, in memory and on disk. */
class GroupedRowsTest {

    private static final long LITTLE = 3_000;
    private static final String HEADER = "txn,session,op,key,value,commit_ts,readfrom,note";

    @TempDir
    Path folder;

    /** A row as the cells of {@link #HEADER}; an empty one is null. */
    private record Row(int txn, String[] cells) {

        String csv() {
            return String.join(",", cells);
        }

        String json() {
            StringBuilder object = new StringBuilder();
            String[] names = HEADER.split(",");
            for (int i = 0; i < cells.length; i++) {
                if (!cells[i].isEmpty()) {
                    boolean isText = !cells[i].matches("[0-9]+");
                    object.append(object.isEmpty() ? "{\"" : ",\"")
                            .append(names[i])
                            .append("\":")
                            .append(isText ? "\"" + cells[i].replace("\"", "") + "\"" : cells[i]);
                }
            }
            return object.append('}').toString();
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void whatIsPutTogetherIsTheTableInTheOrderOfFirstRows() throws IOException {
        for (long seed : Seeds.upTo(15)) {
            Random random = new Random(seed);
            List<Row> scattered = scattered(random, txn -> Integer.toString(700 - txn));
            Map<Integer, List<Row>> together = new LinkedHashMap<>();
            scattered.forEach(row -> together.computeIfAbsent(row.txn, unseen -> new ArrayList<>())
                    .add(row));
            Path expected = csv(
                    "together.csv",
                    together.values().stream().flatMap(List::stream).toList());
            Path file = csv("scattered.csv", scattered);

            assertThat(notation(slices(List.of(file), LITTLE)))
                    .as("seed=%d", seed)
                    .isEqualTo(notation(slices(List.of(expected), Long.MAX_VALUE)));
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void onDiskItIsTheSameAsInMemory() throws IOException {
        for (long seed : Seeds.upTo(15)) {
            Random random = new Random(seed);
            List<Row> scattered = scattered(random, txn -> new UUID(seed, txn).toString());
            List<Path> csv = List.of(
                    csv("a.csv", scattered.subList(0, scattered.size() / 2)),
                    csv("b.csv", scattered.subList(scattered.size() / 2, scattered.size())));
            List<Path> json = List.of(Files.write(
                    folder.resolve("a.json"), scattered.stream().map(Row::json).toList()));

            for (List<Path> files : List.of(csv, json)) {
                List<String> inMemory = HistoryRows.of(slices(files, Long.MAX_VALUE));
                assertThat(inMemory).isNotEmpty();
                HistoryRows.assertSame("seed=" + seed, HistoryRows.of(slices(files, LITTLE)), inMemory);
            }
        }
    }

    @Test
    void filesMayCallTheirColumnsDifferently() throws IOException {
        Path first =
                Files.write(folder.resolve("1.csv"), List.of("txn,session,op,key,value", "1,7,w,x,1", "2,8,w,y,2"));
        Path second = Files.write(
                folder.resolve("2.csv"), List.of("note,val,Transaction_ID,object,client,action", "n,3,1,z,7,W"));

        assertThat(notation(slices(List.of(first, second), LITTLE)))
                .containsExactly("s7 T1: w(x,1) w(z,3)", "s8 T2: w(y,2)");
    }

    @Test
    void unknownRowsAreReportedWithLocation() throws IOException {
        List<String> bad = new ArrayList<>();
        BadRowHandler list = (file, row, fault, raw) -> bad.add(row + ": " + fault.text() + " | " + raw);
        Path file = Files.write(
                folder.resolve("a.csv"),
                List.of(
                        "txn,session,op,key,value,commit",
                        "1,7,w,x,1,5",
                        "2,8,what,y,2,6",
                        ",8,w,y,2,6",
                        "2,8,w,y,2,6",
                        "1,7,w,z,3,9",
                        "1,7,w,u,3,5"));

        assertThat(notation(slices(List.of(file), LITTLE, list)))
                .containsExactly("s7 T1 [_,5]: w(x,1) w(u,3)", "s8 T2 [_,6]: w(y,2)");
        assertThat(bad)
                .containsExactlyInAnyOrder(
                        "3: unknown operation: op=what expected=" + expectedOps()
                                + " | txn=2 session=8 op=what key=y value=2 commit=6",
                        "4: txn is null: every operation needs its transaction | ,8,w,y,2,6",
                        "6: rows of one transaction differ: commit=9 but commit=5 in an earlier row, txn=1"
                                + " | txn=1 session=7 op=w key=z value=3 commit=9");
    }

    private static String expectedOps() {
        return io.nightjar.formats.history.OpKind.expected() + "|commit|abort";
    }

    /** Rows are grouped even if the table has more transactions than fit the contiguity test. */
    @Test
    void aTableOfTooManyTransactionsIsNotTakenForOneThatIsInOrder() throws IOException {
        List<Row> inOrder = new ArrayList<>();
        for (int txn = 1; txn <= 500; txn++) {
            inOrder.add(new Row(txn, new String[] {"" + txn, "1", "w", "5", "" + txn, "", "", ""}));
        }
        inOrder.add(new Row(1, new String[] {"1", "1", "r", "6", "", "", "", ""}));

        List<String> rows = notation(slices(List.of(csv("a.csv", inOrder)), LITTLE));

        assertThat(rows).hasSize(500).first().isEqualTo("s1 T1: w(5,1) r(6,_)");
    }

    // ---------------------------------------------------------------- helpers

    private static List<Row> scattered(Random random, Function<Integer, String> name) {
        List<Row> rows = new ArrayList<>();
        int count = 2 + random.nextInt(120);
        for (int txn = 1; txn <= count; txn++) {
            for (int op = 0; op < 1 + random.nextInt(4); op++) {
                boolean isRead = random.nextBoolean();
                String[] cells = {
                    name.apply(txn),
                    "" + (txn % 5),
                    isRead ? "r" : "w",
                    "" + random.nextInt(9),
                    isRead && random.nextInt(3) == 0 ? "" : "" + (txn * 10 + op),
                    "" + (1_000 + txn),
                    isRead && random.nextInt(4) == 0 ? name.apply(1 + random.nextInt(count)) : "",
                    random.nextInt(3) == 0 ? "\"a note, " + txn + "\"" : ""
                };
                // near the other rows, so that transactions overlap
                rows.add(Math.max(0, rows.size() - random.nextInt(30)), new Row(txn, cells));
            }
        }
        return rows;
    }

    private Path csv(String name, List<Row> rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        rows.forEach(row -> lines.add(row.csv()));
        return Files.write(folder.resolve(name), lines);
    }

    private static List<HistorySlice> slices(List<Path> files, long bufferBytes) throws IOException {
        return slices(files, bufferBytes, BadRowHandler.REJECT);
    }

    private static List<HistorySlice> slices(List<Path> files, long bufferBytes, BadRowHandler badRows)
            throws IOException {
        try (TableSource source = new TableSource("table", null, files, Map.of(), bufferBytes)) {
            return HistoryRows.slices(source, badRows);
        }
    }

    private List<String> notation(List<HistorySlice> slices) throws IOException {
        Path out = folder.resolve("out.txt");
        try (HistoryWriter writer = Histories.create(out, null)) {
            HistoryRows.write(writer, slices);
        }
        return Files.readAllLines(out);
    }
}
