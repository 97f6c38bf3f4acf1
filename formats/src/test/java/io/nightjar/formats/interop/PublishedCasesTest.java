package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedCasesTest {

    private static final Map<String, String> OUR_NAMES = Map.of(
            "awdit-test", "awdit",
            "plume", "plume",
            "dbcop-hist", "hist",
            "dbcop-bincode-2019", "dbcop",
            "timekiller-json", "timekiller",
            "see files", "dbcop",
            "cobra", "cobra");

    @TempDir
    Path folder;

    /**
     * One history.
     *
     * @param path a file or a directory
     * @param format as the list of verdicts calls it
     */
    record Case(Path path, String format) {

        static List<Case> all() throws IOException {
            List<Case> cases = new ArrayList<>();
            for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
                cases.add(new Case(PublishedCases.at(JsonTree.at(known, "path")), JsonTree.at(known, "format")));
            }
            return cases;
        }
    }

    @Test
    void everyPublishedHistoryIsRecognisedAndRead() throws IOException {
        for (Case one : Case.all()) {
            try (HistorySource source = Histories.open(one.path(), null)) {
                assertThat(source.format()).as("%s", one.path()).isEqualTo(OUR_NAMES.get(one.format()));
                assertThat(Counts.of(source).transactions).as("%s", one.path()).isPositive();
            }
        }
    }

    @Test
    void bincodeFilesMatchTheirNames() throws IOException {
        for (Case one : Case.all()) {
            if (!one.format().equals("dbcop-bincode-2019")) {
                continue;
            }
            String[] parts = one.path().getFileName().toString().split("_");
            int sessions = Integer.parseInt(parts[parts.length - 5]);
            int txnsOfSession = Integer.parseInt(parts[parts.length - 4]);
            int opsOfTxn = Integer.parseInt(parts[parts.length - 3]);
            int variables = Integer.parseInt(parts[parts.length - 2]);

            Counts counts;
            try (HistorySource source = Histories.open(one.path(), null)) {
                counts = Counts.of(source);
            }

            String what = one.path().toString();
            assertThat(counts.sessions).as(what).hasSize(sessions);
            assertThat(counts.transactions).as(what).isEqualTo(sessions * txnsOfSession);
            assertThat(counts.operations)
                    .as(what)
                    .isBetween(counts.transactions * opsOfTxn * 7 / 10, counts.transactions * opsOfTxn);
            assertThat(counts.keys.size()).as(what).isBetween(variables / 4, variables);
        }
    }

    @Test
    void bincodeInADirectoryIsTheSameHistory() throws IOException {
        Path file = PublishedCases.at("veristrong-polysi/galera/history.bincode");
        List<Case> all = Case.all();
        assertThat(all).extracting(Case::path).contains(file.getParent());

        assertThat(HistoryRows.at(file.getParent()))
                .isEqualTo(HistoryRows.at(file))
                .hasSize(8);
        Path moved = Files.createDirectory(folder.resolve("h"));
        for (Case one : all) {
            if (one.format().equals("dbcop-bincode-2019")) {
                Files.copy(
                        one.path(),
                        moved.resolve("history.bincode"),
                        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                assertThat(HistoryRows.at(moved)).isEqualTo(HistoryRows.at(one.path()));
            }
        }
    }

    @Test
    void logsOfCobraAreOneSessionEach() throws IOException {
        Path cobra = PublishedCases.at("veristrong-cobra/cock-blog");

        List<String> rows = HistoryRows.at(cobra);

        assertThat(rows).hasSize(21);
        assertThat(rows)
                .contains(
                        "txn=1048589 session=0 seq=0 committed ts=_.._ client=_.._ w(LONG<166>,LONG<100003>,v_,w_) extra=null",
                        "txn=1048597 session=15 seq=1 committed ts=_.._ client=_.._"
                                + " r(LONG<167>,LONG<100005>,v_,w1048599) extra=null");
        assertThat(HistoryRows.at(cobra.resolve("T15.log"))).hasSize(2);
    }

    /** Counts of a history. */
    private static final class Counts {

        private final Set<Long> sessions = new HashSet<>();
        private final Set<String> keys = new HashSet<>();
        private long transactions;
        private long operations;

        private static Counts of(HistorySource source) throws IOException {
            Counts counts = new Counts();
            Set<Long> ids = new HashSet<>();
            for (HistorySlice slice : HistoryRows.slices(source, BadRowHandler.REJECT)) {
                counts.transactions += slice.txnCount;
                counts.operations += slice.opCount;
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    counts.sessions.add(slice.sessionId[txn]);
                    assertThat(ids.add(slice.txnId[txn])).as(source.uri()).isTrue();
                }
                for (int op = 0; op < slice.opCount; op++) {
                    counts.keys.add(slice.keyText(op));
                }
            }
            return counts;
        }
    }
}
