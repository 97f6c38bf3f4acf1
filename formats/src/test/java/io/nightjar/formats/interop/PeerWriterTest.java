package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeerWriterTest extends PeerTestFolder {

    private static final int SEEDS = 20;

    private Path out(String format) {
        return folder.resolve("out-" + format);
    }

    private void write(String format, List<HistorySlice> history) throws IOException {
        HistoryRows.write(Histories.create(out(format), format), history);
    }

    // ---------------------------------------------------------------- supported histories

    @ParameterizedTest
    @ValueSource(strings = {"dbcop", "dbcop-json", "hist", "plume", "awdit", "cobra"})
    void historiesThatFitSurvive(String format) throws IOException {
        for (int i = 0; i < SEEDS; i++) {
            long seed = Seeds.seed(i);
            List<HistorySlice> history = history(seed, format);
            Path out = folder.resolve(format + i);

            HistoryRows.write(Histories.create(out, format), history);

            List<String> expected = new ArrayList<>(HistoryRows.of(history));
            if (!format.equals("plume")) {
                expected.sort(Comparator.comparingInt(PeerWriterTest::idOf));
            }
            if (format.equals("plume") || format.equals("dbcop")) {
                expected.replaceAll(row -> row.replace("nothing", "LONG<0>"));
            }
            if (format.equals("cobra")) {
                expected.replaceAll(row -> row.replaceAll("r\\(LONG<(\\d+)>,LONG<(\\d+)>,v_,w_\\)", "r($1,$2,v_,w$2)")
                        .replaceAll("(LONG)<(\\d+)>", "$2"));
            }
            expected.replaceAll(row -> row.replaceAll("LONG<(\\d+)>", "$1"));
            List<String> read = new ArrayList<>();
            try (HistorySource source = Histories.open(out, null)) {
                assertThat(source.format()).as("seed=%d", seed).isEqualTo(format);
                for (String row : HistoryRows.of(source)) {
                    read.add(row.replaceAll("(LONG|STRING)<([^>]*)>", "$2"));
                }
            }
            HistoryRows.assertSame("seed=" + seed, read, expected);
        }
    }

    @Test
    void publishedBincodeSurvivesInAllOfDbcopsFormats() throws IOException {
        for (PublishedCasesTest.Case one : PublishedCasesTest.Case.all().subList(14, 24)) {
            assertThat(one.format()).isEqualTo("dbcop-bincode-2019");
            List<String> expected = rows(one.path());
            for (String format : List.of("dbcop", "dbcop-json", "hist")) {
                try (HistorySource source = Histories.open(one.path(), null)) {
                    write(format, HistoryRows.slices(source, BadRowHandler.REJECT));
                }
                assertThat(rows(out(format))).as("%s %s", one.path(), format).isEqualTo(expected);
            }
        }
    }

    @Test
    void bincodeThatWasReadIsWrittenTheSameButForItsHeader() throws IOException {
        Path file = Files.write(folder.resolve("a.bincode"), Samples.bincode());
        List<String> before = rows(file);
        try (HistorySource source = Histories.open(file, null)) {
            write("dbcop", HistoryRows.slices(source, BadRowHandler.REJECT));
        }

        assertThat(rows(out("dbcop"))).isEqualTo(before);
    }

    @Test
    void clientTimesAreWrittenToLogsWhereAllTransactionsHaveThem() throws IOException {
        Path log = Files.write(folder.resolve("T4.log"), Samples.cobra(true));
        try (HistorySource source = Histories.open(log, null)) {
            write("cobra", HistoryRows.slices(source, BadRowHandler.REJECT));
        }

        assertThat(rows(out("cobra"))).isEqualTo(rows(log)).first().asString().contains("client=7..8");
    }

    @Test
    void abortedTransactionsOfPlumeLoseTheirNumbers() throws IOException {
        SliceBuilder slice = new SliceBuilder("a.jsonl");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        slice.op(OpKind.WRITE, 1, 2);
        slice.beginTxn(1, 40, 3, 0).status(TxnStatus.ABORTED).endTxn();
        slice.op(OpKind.READ, 1, 2);
        slice.beginTxn(2, 41, 4, 0).endTxn();

        write("plume", List.of(slice.build()));

        assertThat(out("plume")).hasContent("w(1,2,3,-1)\nr(1,2,4,41)\n");
        assertThat(rows(out("plume")))
                .containsExactly("txn=-1 session=3 seq=0 aborted w(1,2)", "txn=41 session=4 seq=0 committed r(1,2)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dbcop", "dbcop-json", "hist", "plume", "awdit"})
    void emptyHistorySurvives(String format) throws IOException {
        write(format, List.of());

        assertThat(rows(out(format), format)).isEmpty();
    }

    // ---------------------------------------------------------------- unsupported histories

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "dbcop => s1 T7?: w(1,1) => status=unknown; it has committed and aborted ones only, convert --committed-only omits the others",
                "awdit => s1 T7!: w(1,1) => status=aborted; it has committed ones only, convert --committed-only omits the others",
                "cobra => s1 T7!: w(1,1) => status=aborted; it has committed ones only, convert --committed-only omits the others",
                "plume => s1 T7: => operations=0; it has operations always",
                "awdit => s1 T7: r(1,_) => key=1 read as the initial state; it has none",
                "plume => s1 T7: w(x,1) => keys are strings; it has integers only",
                "hist => s1 T7: w(\"a b\",1) => key=a b; its keys are of letters, digits and _",
                "dbcop-json => s1 T7: w(x,y) => values are strings; it has integers only",
                "dbcop-json => s1 T7: append(1,2) => kind=append; it has registers only",
                "hist => s1 T7: r(1,[2]) => kind=r of a list; it has registers only",
                "dbcop => s1 T7: w(-1,2) => key=-1; its numbers are unsigned",
                "plume => s1 T7: w(1,-2) => value=-2; its numbers are unsigned",
                "plume => s1 T7: w(1,0) r(1,_) => key=1 has 0 written and its initial state read; it has 0 for both",
                "dbcop => s1 T7: r(1,_) w(1,0) => key=1 has 0 written and its initial state read; it has 0 for both",
                "plume => s1 T-7: w(1,1) => is negative; it has negative numbers for aborted transactions only",
                "cobra => s-1 T7: w(1,1) => session_id=-1; its sessions are counted from 0",
                "cobra => s1 T7: w(1,1) w(1,2) => key=1 written twice; it has one write a key and transaction",
                "cobra => s1 T7: w(1,1) w(2,1) => value=1 is written by txn_id=7 too; its write ids are unique over the history",
                "cobra => s1 T7: w(1,1) r(1,1) => key=1 read after an own write; it has no such reads",
                "cobra => s1 T7: r(1,9) => key=1 value=9 has no writer; it has the writer of each read",
                "cobra => s1 T7: w(1,3735928559) => value=3735928559; the format reserves that number",
            })
    void whatDoesNotFitIsRefusedWithItsTransaction(String format, String row, String reason) throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), row + "\n");

        assertThatThrownBy(() -> {
                    try (HistorySource source = Histories.open(in, "notation")) {
                        write(format, HistoryRows.slices(source, BadRowHandler.REJECT));
                    }
                })
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageMatching("\\Q[" + in + " line=1] does not fit the format " + format + ": \\Etxn_id=-?7 \\Q"
                        + reason + "\\E");
        assertThat(folder).isDirectoryContaining(in::equals).isDirectoryNotContaining(path -> !path.equals(in));
    }

    @Test
    void plumeHasTheOrderOfASessionInItsRows() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), "s1/1 T1: w(1,1)\ns1/0 T2: w(1,2)\n");
        try (HistorySource source = Histories.open(in, null)) {
            List<HistorySlice> history = HistoryRows.slices(source, BadRowHandler.REJECT);

            assertThatThrownBy(() -> write("plume", history))
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageEndingWith("txn_id=2 session_id=1 session_seq=0 follows session_seq=1;"
                            + " its order in a session is that of the rows");
            write("awdit", history);
            assertThat(out("awdit")).hasContent("w 1 2\n-----\nw 1 1\n");
        }
    }

    @Test
    void logsGoToANewDirectory() throws IOException {
        Path there = Files.createDirectory(folder.resolve("there"));

        assertThatThrownBy(() -> Histories.create(there, "cobra"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("output exists: path=%s; logs of Cobra go to a new directory", there);
    }

    // ---------------------------------------------------------------- histories

    /**
     * Returns sessions 0 to n, with transactions numbered through them from 1, in mixed order; written values are
     * transaction ids.
     */
    private static List<HistorySlice> history(long seed, String format) {
        Random random = new Random(seed);
        boolean hasAborted = format.startsWith("dbcop") || format.equals("hist");
        boolean hasInitial = !format.equals("awdit");
        int sessions = 1 + random.nextInt(4);
        int[] length = new int[sessions];
        int[] firstId = new int[sessions];
        int total = 0;
        for (int session = 0; session < sessions; session++) {
            firstId[session] = 1 + total;
            length[session] = 1 + random.nextInt(6);
            total += length[session];
        }
        List<HistorySlice> slices = new ArrayList<>();
        int[] seq = new int[sessions];
        for (int row = 1; row <= total; ) {
            SliceBuilder slice = new SliceBuilder("random");
            slice.keysAreLongs();
            slice.valuesAreLongs();
            for (int i = random.nextInt(5); i >= 0 && row <= total; i--, row++) {
                int session = random.nextInt(sessions);
                while (seq[session] == length[session]) {
                    session = (session + 1) % sessions;
                }
                int id = firstId[session] + seq[session];
                for (int read = random.nextInt(3); read > 0; read--) {
                    int writer = 1 + random.nextInt(total);
                    boolean isInitial = hasInitial && random.nextInt(3) == 0;
                    slice.op(isInitial ? OpKind.READ_NOTHING : OpKind.READ, keyOf(writer), isInitial ? 0 : writer);
                }
                slice.op(OpKind.WRITE, keyOf(id), id);
                slice.beginTxn(row, id, session, seq[session]++)
                        .status(hasAborted && random.nextInt(4) == 0 ? TxnStatus.ABORTED : TxnStatus.COMMITTED);
                slice.endTxn();
            }
            slices.add(slice.build());
        }
        return slices;
    }

    private static int keyOf(int writer) {
        return writer % 3;
    }

    private static int idOf(String row) {
        return Integer.parseInt(row.substring("txn=".length(), row.indexOf(' ')));
    }
}
