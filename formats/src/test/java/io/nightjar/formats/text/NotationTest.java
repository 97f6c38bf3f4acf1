package io.nightjar.formats.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotationTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("a.txt");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "s1 T1 [10,12]: w(x,1) r(y,_) => txn=1 session=1 seq=0 committed ts=10..12 client=_.._ w(STRING<x>,LONG<1>,v_,w_) r(STRING<y>,nothing,v_,w_) extra=null",
                "s1  T7: w(x,1) w(y,1)      # fractured => txn=7 session=1 seq=0 committed ts=_.._ client=_.._ w(STRING<x>,LONG<1>,v_,w_) w(STRING<y>,LONG<1>,v_,w_) extra=null",
                "s1: => txn=1 session=1 seq=0 committed ts=_.._ client=_.._ extra=null",
                "s-2/5 T-1!: => txn=-1 session=-2 seq=5 aborted ts=_.._ client=_.._ extra=null",
                "s1 T1? [10,_]: => txn=1 session=1 seq=0 unknown ts=10.._ client=_.._ extra=null",
                "s1 T1 [10,12]!: => txn=1 session=1 seq=0 aborted ts=10..12 client=_.._ extra=null",
                "s1 T1 [_,12] <3,_>: => txn=1 session=1 seq=0 committed ts=_..12 client=3.._ extra=null",
                "s1 T1:! w(x,1) => txn=1 session=1 seq=0 aborted ts=_.._ client=_.._ w(STRING<x>,LONG<1>,v_,w_) extra=null",
                "s1 T1: w(x,1) ! => txn=1 session=1 seq=0 aborted ts=_.._ client=_.._ w(STRING<x>,LONG<1>,v_,w_) extra=null",
                "s1 T1: append(l,7) r(l,[3, 7]) r(m,[]) add(t,1) inc(c,-2) => txn=1 session=1 seq=0 committed ts=_.._ client=_.._ append(STRING<l>,LONG<7>,v_,w_) r(STRING<l>,[<3><7>],v_,w_) r(STRING<m>,[],v_,w_) add(STRING<t>,LONG<1>,v_,w_) inc(STRING<c>,LONG<-2>,v_,w_) extra=null",
                "s1 T1: w(1,a.b-c) r(2,\"7 # \\\"\")@5<-T3 r(3,_)<-T-4 {\"n\": 1} # c => txn=1 session=1 seq=0 committed ts=_.._ client=_.._ w(LONG<1>,STRING<a.b-c>,v_,w_) r(LONG<2>,STRING<7 # \">,v5,w3) r(LONG<3>,nothing,v_,w-4) extra={\"n\":1}",
                "s1 T1: w(x,__) r(x,\"_\") r(x,_) => txn=1 session=1 seq=0 committed ts=_.._ client=_.._ w(STRING<x>,STRING<__>,v_,w_) r(STRING<x>,STRING<_>,v_,w_) r(STRING<x>,nothing,v_,w_) extra=null",
            })
    void lineIsRead(String line, String row) throws IOException {
        Files.writeString(file, "# a comment\n\n" + line + "\n");

        assertThat(HistoryRows.at(file)).containsExactly(row);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "T1: w(x,1) => unexpected text: expected=a session such as s1 found='T' column=1",
                "s: w(x,1) => unexpected text: expected=a session such as s1 found=':' column=2",
                "s1 T1 w(x,1) => unexpected text: expected=T1, !, ?, [start,commit], <invoke,complete>, each at most once, or ':' found='w' column=7",
                "s1 T1 [1,2] [3,4]: => unexpected text: expected=T1, !, ?, [start,commit], <invoke,complete>, each at most once, or ':' found='[' column=13",
                "s1 T1 [10 12]: => unexpected text: expected=',' found='1' column=11",
                "s1 T1!?: => unexpected text: expected=one mark only found='?' column=7",
                "s1 T1: w(x) => unexpected text: expected=',' found=')' column=11",
                "s1 T1: w(x,_) => word is reserved: word=_ expected=a value: an integer, a word or a string in quotes column=12",
                "s1 T1: r(x,null) => word is reserved: word=null expected=a value: an integer, a word or a string in quotes column=12",
                "s1 T1: r(x,1a) => unexpected text: expected=')'; words that do not begin with a letter need quotes found='a' column=13",
                "s1 T1: q(x,1) => unknown operation kind: kind=q expected=r|w|append|add|inc|p|v|d|cas|ins|has|rem column=8",
                "s1 T1: d(x,1) => unexpected text: expected=')', since nothing is left of a row that is deleted"
                        + " found='1' column=12",
                "s1 T1: w(x,1) {\"a\":1} w(y,1) => unexpected text: expected=the end of the line or a comment found='w' column=23",
                "s1 T1: w(x,1 => unexpected text: expected=')'; words that do not begin with a letter need quotes found=end of line column=13",
            })
    void badLineIsNamedWithItsColumn(String line, String reason) throws IOException {
        Files.writeString(file, "s1: w(x,1)\n" + line + "\n");
        BadRowList bad = new BadRowList();

        try (HistorySource source = Histories.open(file, null)) {
            assertThat(HistoryRows.slices(source, bad)).hasSize(1);
        }

        assertThat(bad.rows).containsExactly("2: " + reason + " | " + line);
    }

    @Test
    void integerAndWordAsKeysStayDifferent() throws IOException {
        Files.writeString(file, "s1: w(\"1\",=true)\ns1: w(1,true)\n");

        assertThat(HistoryRows.at(file))
                .satisfiesExactly(
                        row -> assertThat(row).contains("w(STRING<\"1\">,STRING<true>"),
                        row -> assertThat(row).contains("w(STRING<1>,STRING<\"true\">"));
    }
}
