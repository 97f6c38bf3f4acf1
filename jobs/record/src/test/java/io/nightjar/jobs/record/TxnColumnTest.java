package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TxnColumnTest {

    @Test
    void lastPutNumberIsReturned() throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            Map<Long, Long> expected = new HashMap<>();
            try (TxnColumn column = new TxnColumn()) {
                for (int i = 0; i < 20_000; i++) {
                    long id = random.nextInt(10) == 0 ? random.nextInt(1_000_000) : i + random.nextInt(50);
                    long number = random.nextInt(5) == 0 ? 0 : random.nextLong();
                    column.put(id, number);
                    expected.put(id, number);
                    long other = random.nextInt(1_000_000);
                    assertThat(column.get(other)).isEqualTo(expected.getOrDefault(other, HistorySlice.NONE));
                }
                for (Map.Entry<Long, Long> each : expected.entrySet()) {
                    assertThat(column.get(each.getKey())).isEqualTo(each.getValue());
                }
            }
        }
    }
}
