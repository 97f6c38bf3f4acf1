package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LakeNamesTest {

    @Test
    void aNewRunIdIsTheTimeAndFourDigits() {
        assertThat(LakeNames.newRunId(Instant.parse("2026-11-20T09:15:28.5Z")))
                .matches("r20261120T091528Z-[0-9a-f]{4}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r20261120T091528Z-3f9a", "nightly", "N_1.2-x"})
    void lettersDigitsDotsDashesAndUnderscoresMakeARunId(String runId) {
        assertThat(LakeNames.checkRunId(runId)).isEqualTo(runId);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1night", "_a", ".a", "-a", "a/b", "a\\b", "a b", "a=b", "a%2f", "../a", "a.", "ä"})
    void nonPortableFolderNameIsNoRunId(String runId) {
        assertThatThrownBy(() -> LakeNames.checkRunId(runId))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "not a run id: run-id=" + runId
                                + "; it begins with a letter and holds up to 100 letters, digits, dots, dashes and underscores");
    }

    @Test
    void historyIdIsLetterNameAndHashOfAddress() {
        assertThat(LakeNames.historyId("/data/2026-11-20 orders.v2.jsonl.gz"))
                .matches("h-2026-11-20-orders-v2-[0-9a-f]{8}");
    }

    @Test
    void oneFileHasOneHistoryIdHoweverItIsNamed() {
        String absolute = Path.of("orders.parquet").toAbsolutePath().toString();

        assertThat(LakeNames.historyId("orders.parquet")).isEqualTo(LakeNames.historyId(absolute));
        assertThat(LakeNames.historyId("./a/../orders.parquet")).isEqualTo(LakeNames.historyId(absolute));
    }

    @Test
    void filesOfOneNameInTwoFoldersAreTwoHistories() {
        assertThat(LakeNames.historyId("a/orders.parquet")).isNotEqualTo(LakeNames.historyId("b/orders.parquet"));
    }

    @Test
    void aNameWithoutALetterStillMakesAHistoryId() {
        assertThat(LakeNames.historyId("/data/履歴.parquet")).matches("h-[0-9a-f]{8}");
    }

    @Test
    void trailingSlashDoesNotChangeHistoryId() {
        assertThat(LakeNames.historyId("s3://bucket/orders/")).isEqualTo(LakeNames.historyId("s3://bucket/orders"));
    }
}
