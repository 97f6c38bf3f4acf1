package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.TxnRow.OpRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpsTextTest {

    @Test
    void fewOperationsAreAllShown() {
        List<OpRow> ops =
                List.of(new OpRow("r", "x", null), new OpRow("append", "l", "7"), new OpRow("r", "l", "[3,7]"));

        assertThat(OpsText.of(ops, 2, "l").cut(2, 100)).hasToString("r(x,_) append(l,7) r(l,[3,7])");
    }

    @Test
    void manyOperationsAreCutAroundTheOneAtFault() {
        String text = OpsText.of(writes(1_000), 500, "k500").cut(500, 50).toString();

        assertThat(text).isEqualTo("…+499 w(k499,499) w(k500,500) w(k501,501) …+498");
    }

    @Test
    void othersOnTheSameKeyComeBeforeNeighbours() {
        List<OpRow> ops = writes(1_000);
        ops.set(100, new OpRow("w", "k500", "1"));

        String text = OpsText.of(ops, 500, "k500").cut(500, 50).toString();

        assertThat(text).isEqualTo("…+100 w(k500,1) …+399 w(k500,500) …+499");
    }

    @Test
    void firstOperationOnKeyIsShownWithoutFaultyOne() {
        String text = OpsText.of(writes(20_000), -1, "k12000").cut(-1, 30).toString();

        assertThat(text).contains("w(k12000,12000)");
    }

    @Test
    void aCutTextIsTakenApartWithTheSameNumbers() {
        String text = OpsText.of(writes(1_000), 500, "k500").cut(500, 200).toString();

        OpsText parsed = OpsText.parse(text, List.of("k500"));

        assertThat(parsed.total()).isEqualTo(1_000);
        assertThat(parsed).hasToString(text);
        assertThat(parsed.cut(500, 30)).hasToString("…+500 w(k500,500) …+499");
    }

    @Test
    void operationsOnEachOfSeveralKeysAreFound() {
        String text = OpsText.of(writes(1_000), 400, null).toString();

        OpsText parsed = OpsText.parse(text, List.of("k20", "k700"));

        assertThat(parsed.onKeys(-1)).hasToString("…+20 w(k20,20) …+679 w(k700,700) …+299");
        assertThat(parsed.onKeys(21)).hasToString("…+20 w(k20,20) w(k21,21) …+678 w(k700,700) …+299");
        assertThat(parsed.cut(-1, 50)).hasToString("…+20 w(k20,20) …+679 w(k700,700) …+299");
        assertThat(OpsText.parse(text, List.of("none")).onKeys(-1)).hasToString(text);
    }

    @Test
    void valuesWithSpacesAndBracesAreTakenApartToo() {
        List<OpRow> ops = List.of(new OpRow("w", "a (b", "c) d"), new OpRow("r", "", ""));

        OpsText parsed = OpsText.parse(OpsText.of(ops, 0, null).toString(), List.of());

        assertThat(parsed.total()).isEqualTo(2);
    }

    @Test
    void conditionsThatDidNotHoldAreTakenApart() {
        List<OpRow> ops =
                List.of(new OpRow("present", "pa", null), new OpRow("p", "t", "a,1"), new OpRow("unequal", "x", "2"));

        String text = OpsText.of(ops, 0, null).toString();

        assertThat(text).isEqualTo("present(pa) p[t](a,1) unequal(x,2)");
        assertThat(OpsText.parse(text, List.of()).rows(List.of())).isEqualTo(ops);
    }

    @Test
    void aLongListKeepsItsEnd() {
        List<OpRow> ops = List.of(new OpRow("r", "l", list(1_000)));

        assertThat(OpsText.of(ops, 0, "l").cut(0, 60)).hasToString("r(l,[0,1,2,3,4,…+990,995,996,997,998,999])");
    }

    @Test
    void aLongStringKeepsItsStart() {
        assertThat(ValueText.cut("x".repeat(100), 20)).isEqualTo("xxxxxxxxxxxx…+88");
    }

    @Test
    void twoListsAreCutAroundTheirFirstDifference() {
        String one = list(1_000);
        String other = one.replace("500,501", "500,-1");
        int difference = ValueText.firstDifference(one, other);

        assertThat(difference).isEqualTo(501);
        assertThat(ValueText.cutAround(one, difference, 50)).isEqualTo("[…+499,499,500,501,502,503,504,…+495]");
        assertThat(ValueText.cutAround(other, difference, 50)).contains("500,-1");
    }

    private static List<OpRow> writes(int count) {
        List<OpRow> ops = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ops.add(new OpRow("w", "k" + i, Integer.toString(i)));
        }
        return ops;
    }

    private static String list(int count) {
        StringBuilder list = new StringBuilder("[");
        for (int i = 0; i < count; i++) {
            list.append(i == 0 ? "" : ",").append(i);
        }
        return list.append("]").toString();
    }
}
