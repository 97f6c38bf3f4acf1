package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HistoryColumnTest {

    private static final Pattern ROW =
            Pattern.compile("^\\| (`[^|]*) \\| ([^|]*) \\| (yes|no) \\|.*$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

    @Test
    void theDocumentListsTheDeclaredColumns() throws IOException {
        List<String> declared = new ArrayList<>();
        for (HistoryColumn column : HistoryColumn.OF_TXNS) {
            declared.add(row(column));
        }
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            declared.add(row(column));
        }

        assertThat(documented()).isEqualTo(declared);
    }

    @Test
    void shortNamesFitIntoEightComparedBytes() {
        for (HistoryColumn column : HistoryColumn.values()) {
            if (column.shortName() != null) {
                assertThat(column.shortName().length()).as(column.columnName()).isBetween(1, 8);
            }
        }
    }

    @Test
    void eachGroupIsNeededByTheEvidenceThatSaysSo() {
        assertThat(ColumnGroup.forTimestamps())
                .containsExactlyInAnyOrder(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS, ColumnGroup.PREDICATES);
        assertThat(ColumnGroup.forValues()).doesNotContain(ColumnGroup.EXTRA).containsAll(ColumnGroup.forTimestamps());
    }

    private static String row(HistoryColumn column) {
        String type =
                switch (column.type()) {
                    case INT64 -> "int64";
                    case INT32 -> "int32";
                    case BOOLEAN -> "boolean";
                    case STRING -> "string";
                    case KEY -> "K";
                    case VALUE -> "V";
                    case VALUES -> "list of V";
                    case OPERATIONS -> "list of struct";
                };
        return column.columnName() + " " + type + " " + (column.isNullable() ? "yes" : "no");
    }

    /** Returns the rows of the page's two tables of columns; a row may list several of one type. */
    private static List<String> documented() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("history-format.md");
        String text = Files.readString(page);
        Matcher rows = ROW.matcher(text.substring(text.indexOf("## 1. Columns"), text.indexOf("### Bad rows")));
        List<String> documented = new ArrayList<>();
        while (rows.find()) {
            Matcher names = NAME.matcher(rows.group(1));
            while (names.find()) {
                documented.add(names.group(1) + " " + rows.group(2).strip() + " " + rows.group(3));
            }
        }
        return documented;
    }
}
