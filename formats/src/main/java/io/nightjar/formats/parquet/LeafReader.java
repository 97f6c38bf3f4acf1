package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/** Reader of one leaf column of one row group, entry by entry, into columns of the caller. */
final class LeafReader {

    /*
     * Definitions. An entry is a value, a null, or an empty or missing list; its definition level determines which.
     *
     * Algorithm. The caller consumes entries of the current page with `take`, then requests their streams: `reps`,
     * `defs`, `values`. The same streams must be requested for all entries of a chunk, since each stream advances
     * separately.
     */

    private static final int BATCH = 1 << 13;

    final SchemaNode leaf;
    private final String file;
    private final int rowGroup;
    private final PageReader pages;
    private final int batch;
    private final @Nullable StringEncoder map;
    private final boolean isUnsignedInt32;

    private long @Nullable [] numberDictionary;
    private @Nullable StringDictionary stringDictionary;

    private int pageEntries;
    private final RleDecoder repDecoder = new RleDecoder();
    private final RleDecoder defDecoder = new RleDecoder();
    private @Nullable Encoding encoding;
    private ValueDecoder.Range range = new ValueDecoder.Range(new byte[0], 0, 0);

    /**
     * Null until the first value of the page is requested: some writers store no bytes after the levels if all values
     * are null.
     */
    private @Nullable ValueDecoder decoder;

    private int taken;
    private boolean isPutBack;
    private boolean isConstant;
    private int constantDef;
    private final int[] defs;
    private int present;
    private boolean sawNull;
    private long[] scratch = new long[0];

    /** @param map for strings; null for numbers */
    LeafReader(
            String file,
            int rowGroup,
            SchemaNode leaf,
            FileChannel channel,
            FileFooter footer,
            PageDecompressor codec,
            @Nullable StringEncoder map) {
        this.leaf = leaf;
        this.file = file;
        this.rowGroup = rowGroup;
        this.map = leaf.leafType().isBinary() ? map : null;
        this.isUnsignedInt32 = leaf.type == PhysicalType.INT32 && leaf.annotation == Annotation.UNSIGNED;
        try {
            ChunkInfo chunk = footer.rowGroups().get(rowGroup).chunks().get(leaf.leaf);
            this.pages = new PageReader(channel, chunk, footer.dataEnd(), codec);
            this.batch = (int) Math.min(BATCH, chunk.entryCount());
            this.defs = new int[leaf.maxDef == 0 ? 0 : batch];
        } catch (RuntimeException e) {
            throw corrupt(e);
        }
    }

    /** Returns the maximum number of entries that {@link #take} returns; small for a small chunk. */
    int batch() {
        return batch;
    }

    /** Returns whether values are unsigned, so that values of at least 2^63 appear as negative numbers. */
    boolean isUnsignedInt64() {
        return leaf.type == PhysicalType.INT64 && leaf.annotation == Annotation.UNSIGNED;
    }

    /** Clears mapped strings; they are mapped again at their next occurrence. */
    void forgetWords() {
        if (stringDictionary != null) {
            stringDictionary.forget();
        }
    }

    // ---------------------------------------------------------------- entries

    /**
     * Consumes the next entries of the current page, at most {@code maxEntries}; returns their number, 0 at the end of
     * the chunk.
     */
    int take(int maxEntries) throws IOException {
        if (isPutBack) {
            isPutBack = false;
            return taken;
        }
        try {
            while (pageEntries == 0) {
                if (!pages.next()) {
                    return 0;
                }
                beginPage();
            }
            taken = Math.min(Math.min(maxEntries, batch), pageEntries);
            pageEntries -= taken;
            takeDefs();
            return taken;
        } catch (RuntimeException e) {
            throw corrupt(e);
        }
    }

    /**
     * Skips entries while a whole batch of them has no value, at most {@code maxEntries}; returns their number. A batch
     * with a value is put back, so that the next {@code take} must permit as many entries as remain.
     */
    int skipAbsent(int maxEntries) throws IOException {
        int skipped = 0;
        while (skipped < maxEntries) {
            int some = take(maxEntries - skipped);
            if (some == 0 || present > 0) {
                isPutBack = some > 0;
                return skipped;
            }
            skipped += some;
        }
        return skipped;
    }

    private void takeDefs() {
        isConstant = true;
        constantDef = leaf.maxDef;
        present = taken;
        if (leaf.maxDef == 0) {
            return;
        }
        if (defDecoder.constantLength() >= taken) {
            constantDef = defDecoder.constantValue();
            defDecoder.skip(taken);
            checkDef(constantDef);
            present = constantDef == leaf.maxDef ? taken : 0;
            return;
        }
        isConstant = false;
        defDecoder.read(defs, 0, taken);
        int[] defs = this.defs;
        int maxDef = leaf.maxDef;
        int count = 0;
        int largest = 0;
        for (int i = 0; i < taken; i++) {
            count += defs[i] == maxDef ? 1 : 0;
            largest = Math.max(largest, defs[i]);
        }
        checkDef(largest);
        present = count;
    }

    private void checkDef(int def) {
        if (def > leaf.maxDef) {
            throw new CorruptFileException(
                    InputError.of("impossible definition level").with("level=" + def));
        }
    }

    /** Returns whether all consumed entries have one definition level, and no value. */
    boolean isConstantAbsent() {
        return isConstant && constantDef < leaf.maxDef;
    }

    /** Returns the definition level of all consumed entries; valid if they have only one. */
    int constantDef() {
        return constantDef;
    }

    /** Reads the repetition levels of the consumed entries. */
    void reps(int[] into, int offset) {
        try {
            repDecoder.read(into, offset, taken);
        } catch (RuntimeException e) {
            throw corrupt(e);
        }
    }

    /** Skips the repetition levels of the consumed entries. */
    void skipReps() {
        try {
            repDecoder.skip(taken);
        } catch (RuntimeException e) {
            throw corrupt(e);
        }
    }

    /** Reads the definition levels of the consumed entries. */
    void defs(int[] into, int offset) {
        if (isConstant) {
            Arrays.fill(into, offset, offset + taken, constantDef);
        } else {
            System.arraycopy(defs, 0, into, offset, taken);
        }
    }

    private boolean hasNulls(int slotDef) {
        if (isConstant) {
            return constantDef < leaf.maxDef && constantDef >= slotDef;
        }
        for (int i = 0; i < taken; i++) {
            if (defs[i] < leaf.maxDef && defs[i] >= slotDef) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the values of the consumed entries. Entries below {@code slotDef} have no slot; entries without a value are
     * {@code nullValue} and marked.
     *
     * @param isNull marks by slot; null if the caller does not need them, or if no value can be null
     * @return number of slots filled
     */
    int values(long[] into, int offset, boolean @Nullable [] isNull, int nullOffset, int slotDef, long nullValue) {
        try {
            if (!isConstant) {
                return scatter(into, offset, isNull, nullOffset, slotDef, nullValue);
            }
            if (constantDef < slotDef) {
                return 0;
            }
            if (present > 0) {
                decoder().read(into, offset, taken);
            } else {
                Arrays.fill(into, offset, offset + taken, nullValue);
            }
            if (isNull != null) {
                Arrays.fill(isNull, nullOffset, nullOffset + taken, present == 0);
            }
            return taken;
        } catch (RuntimeException e) {
            throw corrupt(e);
        }
    }

    /**
     * Consumes this many entries, from several pages if necessary, and reads their {@link #values}.
     *
     * @param isNull marks by slot from 0 on; valid only if {@link #sawNull}
     * @return number of slots filled
     */
    int fill(long[] into, int offset, boolean[] isNull, int entries, int slotDef, long nullValue) throws IOException {
        sawNull = false;
        int slots = 0;
        int left = entries;
        while (left > 0) {
            int some = take(left);
            if (some == 0) {
                throw corrupt("column has fewer values than others");
            }
            left -= some;
            if (!sawNull && hasNulls(slotDef)) {
                sawNull = true;
                Arrays.fill(isNull, 0, slots, false);
            }
            slots += values(into, offset + slots, sawNull ? isNull : null, slots, slotDef, nullValue);
        }
        return slots;
    }

    /** Returns whether the last {@link #fill} read a null. */
    boolean sawNull() {
        return sawNull;
    }

    private int scatter(
            long[] into, int offset, boolean @Nullable [] isNull, int nullOffset, int slotDef, long nullValue) {
        if (scratch.length < present) {
            scratch = new long[batch];
        }
        if (present > 0) {
            decoder().read(scratch, 0, present);
        }
        long[] scratch = this.scratch;
        int[] defs = this.defs;
        int maxDef = leaf.maxDef;
        int slot = 0;
        int value = 0;
        for (int i = 0; i < taken; i++) {
            int def = defs[i];
            if (def < slotDef) {
                continue;
            }
            boolean isThere = def == maxDef;
            into[offset + slot] = isThere ? scratch[value++] : nullValue;
            if (isNull != null) {
                isNull[nullOffset + slot] = !isThere;
            }
            slot++;
        }
        return slot;
    }

    // ---------------------------------------------------------------- pages

    private void beginPage() {
        PageInfo header = pages.page();
        if (header.type == PageType.DICTIONARY_PAGE) {
            dictionary(header);
            return;
        }
        byte[] body = pages.body();
        int end = header.uncompressedSize;
        int at = 0;
        if (header.type == PageType.DATA_PAGE_V2) {
            levels(repDecoder, leaf.maxRep, body, 0, header.repsLength);
            levels(defDecoder, leaf.maxDef, body, header.repsLength, header.repsLength + header.defsLength);
            at = header.repsLength + header.defsLength;
        } else {
            at = levelsV1(repDecoder, leaf.maxRep, header.repEncoding, body, at, end);
            at = levelsV1(defDecoder, leaf.maxDef, header.defEncoding, body, at, end);
        }
        encoding = header.encoding;
        range = new ValueDecoder.Range(body, at, end);
        decoder = null;
        pageEntries = header.valueCount;
    }

    private static void levels(RleDecoder into, int largest, byte[] body, int from, int to) {
        if (largest > 0) {
            into.begin(body, from, to, RleEncoder.bitWidth(largest));
        }
    }

    /** Reads levels after their length; returns the position after them. */
    private static int levelsV1(RleDecoder into, int largest, Encoding encoding, byte[] body, int at, int end) {
        if (largest == 0) {
            return at;
        }
        if (encoding != Encoding.RLE) {
            throw unsupported(encoding);
        }
        if (end - at < Integer.BYTES) {
            throw new CorruptFileException(InputError.of("page ends in its levels"));
        }
        int length = (body[at] & 0xFF)
                | (body[at + 1] & 0xFF) << 8
                | (body[at + 2] & 0xFF) << 16
                | (body[at + 3] & 0xFF) << 24;
        int from = at + Integer.BYTES;
        if (length < 0 || length > end - from) {
            throw new CorruptFileException(InputError.of("page ends in its levels"));
        }
        levels(into, largest, body, from, from + length);
        return from + length;
    }

    private void dictionary(PageInfo header) {
        if (header.encoding != Encoding.PLAIN && header.encoding != Encoding.PLAIN_DICTIONARY) {
            throw unsupported(header.encoding);
        }
        ValueDecoder.Range range = new ValueDecoder.Range(pages.takeBody(), 0, header.uncompressedSize);
        if (map != null) {
            stringDictionary = new StringDictionary(range, header.valueCount, leaf.typeLength, map);
            return;
        }
        range.require(0, header.valueCount); // a value has at least one byte; booleans have no dictionary
        numberDictionary = new long[header.valueCount];
        new PlainNumbers(range, leaf.leafType(), isUnsignedInt32).read(numberDictionary, 0, header.valueCount);
    }

    private ValueDecoder decoder() {
        if (decoder == null) {
            decoder = newDecoder();
        }
        return decoder;
    }

    private ValueDecoder newDecoder() {
        if (encoding == Encoding.PLAIN_DICTIONARY || encoding == Encoding.RLE_DICTIONARY) {
            return new DictionaryValues(range, numberDictionary, stringDictionary);
        }
        if (map != null) {
            return switch (encoding) {
                case PLAIN -> new PlainStrings(range, leaf.typeLength, map);
                case DELTA_LENGTH_BYTE_ARRAY -> new DeltaStrings(range, false, map);
                case DELTA_BYTE_ARRAY -> new DeltaStrings(range, true, map);
                default -> throw unsupported(encoding);
            };
        }
        boolean isInteger = leaf.type == PhysicalType.INT32 || leaf.type == PhysicalType.INT64;
        if (encoding == Encoding.PLAIN) {
            return new PlainNumbers(range, leaf.leafType(), isUnsignedInt32);
        }
        if (encoding == Encoding.DELTA_BINARY_PACKED && isInteger) {
            return new DeltaNumbers(range, leaf.type == PhysicalType.INT32, isUnsignedInt32);
        }
        if (encoding == Encoding.BYTE_STREAM_SPLIT && leaf.type != PhysicalType.BOOLEAN) {
            boolean isWide = leaf.type == PhysicalType.INT64 || leaf.type == PhysicalType.DOUBLE;
            return new ByteStreamSplitDecoder(range, isWide ? Long.BYTES : Integer.BYTES, isUnsignedInt32);
        }
        if (encoding == Encoding.RLE && leaf.type == PhysicalType.BOOLEAN) {
            return new RleBooleans(range);
        }
        throw unsupported(encoding);
    }

    private static CorruptFileException unsupported(@Nullable Encoding encoding) {
        return new CorruptFileException(InputError.of("encoding is not supported")
                .with("encoding=" + encoding)
                .advise("write the file with plain or dictionary encoding"));
    }

    // ---------------------------------------------------------------- errors

    /** Returns a located message for an exception caused by corrupt bytes. */
    MalformedHistoryException corrupt(RuntimeException e) {
        if (e instanceof MalformedHistoryException located) {
            return located;
        }
        CorruptFileException known = e instanceof CorruptFileException corrupt
                ? corrupt
                : new CorruptFileException(InputError.of("page cannot be decoded"));
        return new MalformedHistoryException(
                InputLocation.file(file).in(leaf.path()),
                InputError.of(known.hasAdvice() ? "column cannot be read" : "column is corrupt")
                        .with(
                                "column=%s row-group=%d cause=\"%s\"",
                                leaf.path(), rowGroup, known.fault().complaint())
                        .advise(known.fault().advice()),
                e);
    }

    /** Returns the failure of columns that disagree with each other. */
    MalformedHistoryException corrupt(String kind) {
        return corrupt(new CorruptFileException(InputError.of(kind)));
    }
}
