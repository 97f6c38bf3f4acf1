package io.nightjar.pipeline.partition;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;

/** The hashes of one chunk's keys after another's; a name is hashed once for each chunk. */
public final class KeyHashes {

    private LaneChunk chunk;
    private long[] hashOfName = new long[0];
    private boolean[] isHashed = new boolean[0];

    /** Goes over to another chunk. */
    @SetsFields
    public void begin(LaneChunk of) {
        chunk = of;
        if (of.keyType == ValueType.STRING) {
            int count = requireNonNull(of.keyNames).size();
            if (hashOfName.length < count) {
                hashOfName = new long[count];
                isHashed = new boolean[count];
            }
            Arrays.fill(isHashed, 0, count, false);
        }
    }

    /** Returns the hash of a key, given as its representation in the chunk. */
    public long of(long key) {
        if (chunk.keyType != ValueType.STRING) {
            return KeyHash.of(key);
        }
        int name = (int) key;
        if (!isHashed[name]) {
            isHashed[name] = true;
            hashOfName[name] = KeyHash.of(requireNonNull(chunk.keyNames), name);
        }
        return hashOfName[name];
    }
}
