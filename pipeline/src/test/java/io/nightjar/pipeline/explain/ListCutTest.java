package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListCutTest {

    private static final String HUNDRED =
            IntStream.rangeClosed(1, 100).mapToObj(String::valueOf).collect(Collectors.joining(",", "[", "]"));

    @Test
    void shortListsStayWhole() {
        assertThat(ListCut.cut("[1,2,3]", Set.of("2"), 40)).isEqualTo("[1,2,3]");
        assertThat(ListCut.cut("[]", Set.of(), 4)).isEqualTo("[]");
    }

    @Test
    void whatMattersIsKeptWithItsNeighbours() {
        assertThat(ListCut.cut(HUNDRED, Set.of("19"), 40)).isEqualTo("[…+15,16,17,18,19,20,21,…+78,100]");
    }

    @Test
    void marksShowWhatMatters() {
        assertThat(ListCut.marked("[1,2,3]", Set.of("2"), 40)).isEqualTo("[1,*2*,3]");
    }

    @Test
    void twoThatMatterAreBothKept() {
        assertThat(ListCut.cut(HUNDRED, Set.of("5", "60"), 30)).contains(",5,").contains(",60,");
    }

    @Test
    void withoutAnythingThatMattersTheEndIsKept() {
        assertThat(ListCut.cut(HUNDRED, Set.of(), 24)).isEqualTo("[…+96,97,98,99,100]");
    }

    @Test
    void everyElementIsKeptOrCounted() {
        for (int width = 8; width < 400; width += 3) {
            String cut = ListCut.cut(HUNDRED, Set.of("19", "70"), width);
            int total = 0;
            for (String part : cut.substring(1, cut.length() - 1).split(",")) {
                total += part.startsWith("…+") ? Integer.parseInt(part.substring(2)) : 1;
            }
            assertThat(total).as(cut).isEqualTo(100);
        }
    }

    @Test
    void aCutListIsAboutAsShortAsAskedFor() {
        for (int width = 20; width < 300; width++) {
            assertThat(ListCut.cut(HUNDRED, Set.of("19"), width).length()).isLessThanOrEqualTo(width + 2);
        }
    }

    @Test
    void theSizeOfAListBeyondAThousandElementsStays() {
        String value = HUNDRED + "… (5000 elements)";

        assertThat(ListCut.cut(value, Set.of("3"), 30)).endsWith("]… (5000 elements)");
    }

    @Test
    void otherValuesKeepBothEnds() {
        assertThat(ListCut.cut("abcdefghijklmnopqrstuvwxyz", Set.of(), 9)).isEqualTo("abcd…wxyz");
        assertThat(ListCut.cut("abc", Set.of(), 9)).isEqualTo("abc");
        assertThat(ListCut.cut(null, Set.of(), 9)).isNull();
    }

    @Test
    void pairsOfSurrogatesAreNotTorn() {
        String cut = ListCut.cutText("a😀😀😀😀😀😀", 6);

        assertThat(cut.codePoints().filter(c -> c >= 0xD800 && c <= 0xDFFF)).isEmpty();
    }
}
