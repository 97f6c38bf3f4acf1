package io.nightjar.pipeline.online;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Room for keys in which a page lies in memory, or a few; the others are stored. */
final class KeyRooms {

    private static final int MAX_BYTES = 8_000;

    private KeyRooms() {}

    static KeyPageCache any(Random random) {
        return random.nextInt(3) == 0
                ? KeyPageCache.unlimited()
                : KeyPageCache.of(random.nextInt(MAX_BYTES), new Stored());
    }

    static final class Stored implements KeyPageCache.Storage {

        private final Map<Long, byte[]> pages = new HashMap<>();
        private long writes;

        long writes() {
            return writes;
        }

        @Override
        public void write(long at, ByteBuffer from) {
            byte[] page = new byte[from.remaining()];
            from.get(page);
            pages.put(at, page);
            writes++;
        }

        @Override
        public void read(long at, ByteBuffer into) {
            into.put(pages.get(at));
        }
    }
}
