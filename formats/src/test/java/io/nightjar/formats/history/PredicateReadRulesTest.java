package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredicateReadRulesTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p[t](\"c1 > 1\",[],2) r(t/1,5)|rows reach past the end of the transaction: op=0 rows=2",
                "p[t](\"c1 > 1\",[],1) w(t/1,5)|row of a predicate read is neither r nor v: op=1 kind=w",
                "p[t](\"c1 > 1\",[],1) p[t](\"c1 > 2\",[],0)|predicate read among the rows of another: op=1",
                "p[t](\"c1 > 1\",[],-1)|rows reach past the end of the transaction: op=0 rows=-1",
            })
    void rowsThatArePartOfNoPredicateReadAreLocated(String ops, String reason) throws IOException {
        assertThat(problems("s1 T1: " + ops + "\n")).singleElement().satisfies(problem -> assertThat(problem)
                .startsWith("1: " + reason));
    }

    @Test
    void rowsMayBeUnknownAndOtherOperationsMayFollow() throws IOException {
        assertThat(problems("s1 T1: p[t](\"c1 > 1\") w(t/1,5) p(\"c1 > 1\",_,1) v(t/1) d(t/1)\n"))
                .isEmpty();
    }

    @Test
    void theFirstOfATableIsFoundBehindItems() throws IOException {
        Path file = Files.writeString(
                folder.resolve("b.txt"),
                "s1 T1: w(x,1)\ns1 T2: r(x,1)\ns1 T3: w(x,2) d(x)\ns1 T4: p(\"c > 1\",[],0)\n");
        try (HistorySource source = Histories.open(file, null);
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();

            assertThat(slice.locationOf(slice.firstTxnBeyondItems()).row()).isEqualTo(3);
            assertThat(slice.items().firstTxnBeyondItems()).isEqualTo(-1);
        }
    }

    @Test
    void itemsOmitPredicateReadsAndUnmatchedRows() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.txt"), "s1 T1: w(t/2,1) p[t](\"c1 > 1\",[],2) r(t/1,5)@3 v(t/2) d(t/1)\n");
        try (HistorySource source = Histories.open(file, null);
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();

            assertThat(slice.isRelational()).isTrue();
            HistorySlice items = slice.items();
            assertThat(items.opCount).isEqualTo(3);
            assertThat(items.kind).containsExactly(OpKind.WRITE, OpKind.READ, OpKind.ERASE);
            assertThat(items.version).containsExactly(HistorySlice.NONE, 3, HistorySlice.NONE);
            assertThat(items.keyText(1)).isEqualTo("t/1");
            assertThat(items.isRelational()).isFalse();
            assertThat(items.whole()).isSameAs(slice);
            assertThat(items.items()).isSameAs(items);
        }
    }

    private List<String> problems(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), text);
        List<String> problems = new ArrayList<>();
        try (HistorySource source = Histories.open(file, null);
                SliceReader reader = source.open(
                        0,
                        Set.of(ColumnGroup.PREDICATES),
                        (name, row, fault, raw) -> problems.add(row + ": " + fault.text()))) {
            while (reader.next() != null) {
                // read to the end
            }
        }
        return problems;
    }
}
