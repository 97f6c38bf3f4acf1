package io.nightjar.jobs.objects;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of objects, and their first and last bytes, that several readers request in a row: one detects the format,
 * another reads the footer.
 */
final class RecentObjects {

    private static final int MAX_PIECES = 64;

    /** Attributes are valid for this long; reads of another object fail in any case, since each states its identity. */
    private static final long VALID_NANOS = 1_000_000_000L;

    private record Found(ObjectInfo object, long atNanos) {}

    private record Piece(ObjectInfo object, long start) {}

    private final Map<String, Found> found = new LinkedHashMap<>();
    private final Map<Piece, byte[]> pieces = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Piece, byte[]> eldest) {
            return size() > MAX_PIECES;
        }
    };

    synchronized @Nullable ObjectInfo find(String key) {
        Found recent = found.get(key);
        if (recent == null || System.nanoTime() - recent.atNanos > VALID_NANOS) {
            found.remove(key);
            return null;
        }
        return recent.object;
    }

    synchronized void add(ObjectInfo object) {
        found.put(object.key(), new Found(object, System.nanoTime()));
        if (found.size() > MAX_PIECES) {
            found.remove(found.keySet().iterator().next());
        }
    }

    /** Forgets an object, and the folders that may have no other object. */
    synchronized void forget(String key) {
        found.keySet().removeIf(each -> each.equals(key) || key.startsWith(each + "/"));
    }

    synchronized byte @Nullable [] piece(ObjectInfo object, long start) {
        return pieces.get(new Piece(object, start));
    }

    synchronized void add(ObjectInfo object, long start, byte[] bytes) {
        pieces.put(new Piece(object, start), bytes);
    }
}
