package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StringPoolTest {

    @Test
    void copiedTableContinuesLikeFilledTable() {
        for (int known = 0; known < 200; known += 33) {
            StringPool filled = new StringPool();
            for (int i = 0; i < known; i++) {
                filled.intern("name " + i);
            }
            StringPool takenOver = takenOver(filled);

            for (int i = 0; i < 300; i++) {
                assertThat(takenOver.intern("name " + i)).isEqualTo(i);
                assertThat(takenOver.get(i)).isEqualTo("name " + i);
            }

            byte[] unknown = "other".getBytes(StandardCharsets.UTF_8);
            assertThat(takenOver(filled).find(unknown, 0, unknown.length)).isEqualTo(-1);
        }
    }

    private static StringPool takenOver(StringPool table) {
        int[] firstByteOf = new int[table.size() + 1];
        for (int name = 0; name < table.size(); name++) {
            firstByteOf[name + 1] = firstByteOf[name] + table.length(name);
        }
        byte[] bytes = new byte[firstByteOf[table.size()]];
        for (int name = 0; name < table.size(); name++) {
            System.arraycopy(table.bytes(), table.firstByte(name), bytes, firstByteOf[name], table.length(name));
        }
        return StringPool.ofDistinct(bytes, firstByteOf, table.size());
    }
}
