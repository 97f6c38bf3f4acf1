package io.nightjar.formats.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.nightjar.formats.history.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/** Writer of one column of a row group: converts levels and values to compressed pages. */
final class ChunkWriter {

    /*
     * Algorithm. Entries are buffered until a page is full; only then is the encoding of the page chosen. Pages use the
     * dictionary while they add few new values; the first page that adds too many closes the dictionary, and it and all
     * later pages of the chunk are plain. Strings are buffered as ordinals of a pool, which is also the dictionary
     * until it is closed; after that the pool is emptied with each page.
     */

    private static final int PAGE_ENTRIES = 1 << 16;
    private static final int PAGE_STRING_BYTES = 1 << 20;
    private static final int LARGEST_STRING_DICTIONARY = 1 << 16;
    private static final long MAX_DICTIONARY_BYTES = 16 << 20;

    /** Maximum size of new strings in a page, so that the writer soon detects whether they repeat. */
    private static final long NEW_STRING_BYTES = 4 << 20;

    final SchemaNode leaf;
    private final boolean isString;
    private final ZstdCompressCtx zstd;

    private int[] reps = new int[64];
    private int[] defs = new int[64];
    private int entryCount;
    private boolean repsDiffer;
    private boolean defsDiffer;
    private long[] values = new long[64];
    private int valueCount;

    private boolean dictionaryIsOpen;
    private NumberDictionary numbers = new NumberDictionary();
    private StringPool strings = new StringPool();
    private int stringsGeneration;
    private @Nullable String latestString; // compared by identity
    private int latestGeneration;
    private int latestOrdinal;
    private int[] ordinals = new int[0];
    private int dictionarySize;
    private long dictionaryBytes;
    private final LittleEndianBytes dictionaryPage = new LittleEndianBytes(64);

    private final LittleEndianBytes body = new LittleEndianBytes(256);
    private final LittleEndianBytes dataPages = new LittleEndianBytes(256);
    private final LittleEndianBytes header = new LittleEndianBytes(64);
    private final CRC32 pageCrc = new CRC32();
    private final HeadersCrc headersCrc = new HeadersCrc();
    private byte[] compressed = new byte[256];
    private int compressedSize;

    private long chunkEntries;
    private long nullCount;
    private long uncompressedSize;
    private boolean plainUsed;
    private long min;
    private long max;

    ChunkWriter(SchemaNode leaf, ZstdCompressCtx zstd) {
        this.leaf = leaf;
        this.isString = leaf.type == PhysicalType.BYTE_ARRAY;
        this.zstd = zstd;
        begin();
    }

    /** Resets the writer for the next row group. */
    void begin() {
        dictionaryIsOpen = leaf.type != PhysicalType.BOOLEAN;
        numbers = new NumberDictionary();
        forgetStrings();
        dictionarySize = 0;
        dictionaryBytes = 0;
        dictionaryPage.clear();
        dataPages.clear();
        headersCrc.reset();
        chunkEntries = 0;
        nullCount = 0;
        uncompressedSize = 0;
        plainUsed = false;
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
    }

    // ---------------------------------------------------------------- entries

    /** Adds an entry; if its definition level is the leaf's, its value follows. */
    void entry(int rep, int def) {
        int at = entryCount;
        if (at == defs.length) {
            reps = Arrays.copyOf(reps, at * 2);
            defs = Arrays.copyOf(defs, at * 2);
        }
        reps[at] = rep;
        defs[at] = def;
        repsDiffer |= rep != reps[0];
        defsDiffer |= def != defs[0];
        entryCount = at + 1;
    }

    /**
     * Adds a value: a number, the bits of a double, 0 or 1 for a boolean, or the ordinal of a string from {@link
     * #intern}.
     */
    void value(long value) {
        if (valueCount == values.length) {
            values = Arrays.copyOf(values, valueCount * 2);
        }
        values[valueCount++] = value;
    }

    void string(String string) {
        if (string != latestString || latestGeneration != stringsGeneration) { // consecutive rows often repeat a value
            latestString = string;
            latestGeneration = stringsGeneration;
            latestOrdinal =
                    dictionaryIsOpen ? strings.intern(string) : strings.append(string.getBytes(StandardCharsets.UTF_8));
        }
        value(latestOrdinal);
    }

    /** Returns the ordinal of a string, valid until {@link #stringsGeneration} changes. */
    int intern(byte[] utf8, int offset, int length) {
        return strings.intern(utf8, offset, length);
    }

    int stringsGeneration() {
        return stringsGeneration;
    }

    /** Ends a row; a page ends only at the end of a row. */
    void endRow() {
        long maxBytes = dictionaryIsOpen ? dictionaryBytes + NEW_STRING_BYTES : PAGE_STRING_BYTES;
        if (entryCount >= PAGE_ENTRIES || isString && strings.byteSize() > maxBytes) {
            flushPage();
        }
    }

    // ---------------------------------------------------------------- pages

    private void flushPage() {
        if (entryCount == 0) {
            return;
        }
        body.clear();
        if (leaf.maxRep > 0) {
            levels(reps, repsDiffer, leaf.maxRep);
        }
        if (leaf.maxDef > 0) {
            levels(defs, defsDiffer, leaf.maxDef);
        }
        if (dictionaryIsOpen && !fitsDictionary()) {
            closeDictionary();
        }
        boolean byDictionary = dictionaryIsOpen && valueCount > 0;
        if (byDictionary) {
            int bitWidth = RleEncoder.bitWidth(Math.max(0, dictionarySize - 1));
            body.put(bitWidth);
            RleEncoder.encode(ordinals, valueCount, bitWidth, body);
        } else {
            plainValues();
            plainUsed = true;
        }
        dataPage(byDictionary ? Encoding.PLAIN_DICTIONARY : Encoding.PLAIN);
        if (leaf.type == PhysicalType.INT64 || leaf.type == PhysicalType.INT32) {
            minMax();
        }
        if (isString && !dictionaryIsOpen) {
            forgetStrings();
        }
        chunkEntries += entryCount;
        nullCount += entryCount - valueCount;
        entryCount = 0;
        valueCount = 0;
        repsDiffer = false;
        defsDiffer = false;
    }

    private void forgetStrings() {
        strings = new StringPool();
        stringsGeneration++;
    }

    private void levels(int[] levels, boolean differ, int largest) {
        int lengthAt = body.size();
        body.putInt(0);
        int bitWidth = RleEncoder.bitWidth(largest);
        if (differ) {
            RleEncoder.encode(levels, entryCount, bitWidth, body);
        } else {
            RleEncoder.run(levels[0], entryCount, bitWidth, body);
        }
        body.setInt(lengthAt, body.size() - lengthAt - Integer.BYTES);
    }

    /** Returns whether the page uses the dictionary; if so, {@code ordinals} are its values. */
    private boolean fitsDictionary() {
        if (ordinals.length < valueCount) {
            ordinals = new int[values.length];
        }
        if (!isString) {
            boolean fits = numbers.encode(values, valueCount, ordinals);
            dictionarySize = numbers.size();
            return fits;
        }
        int added = strings.size() - dictionarySize;
        boolean isLarge = strings.size() > LARGEST_STRING_DICTIONARY || strings.byteSize() > MAX_DICTIONARY_BYTES;
        if (isLarge || added > valueCount / 2) {
            return false;
        }
        dictionarySize = strings.size();
        dictionaryBytes = strings.byteSize();
        for (int i = 0; i < valueCount; i++) {
            ordinals[i] = (int) values[i];
        }
        return true;
    }

    /**
     * Closes the dictionary: later pages do not use it, and the entries that earlier pages need become the dictionary
     * page.
     */
    private void closeDictionary() {
        dictionaryIsOpen = false;
        if (dictionarySize == 0) {
            return;
        }
        LittleEndianBytes plain = new LittleEndianBytes(dictionarySize * 8);
        for (int ordinal = 0; ordinal < dictionarySize; ordinal++) {
            plainValue(isString ? ordinal : numbers.number(ordinal), plain);
        }
        PageHeader page = compress(plain, PageType.DICTIONARY_PAGE);
        page.setDictionary_page_header(new DictionaryPageHeader(dictionarySize, Encoding.PLAIN_DICTIONARY));
        endPage(page, plain, dictionaryPage);
        numbers = new NumberDictionary();
    }

    private void plainValues() {
        if (leaf.type == PhysicalType.INT64 || leaf.type == PhysicalType.DOUBLE) {
            body.putLongs(values, valueCount);
        } else if (leaf.type == PhysicalType.BOOLEAN) {
            plainBooleans();
        } else {
            for (int i = 0; i < valueCount; i++) {
                plainValue(values[i], body);
            }
        }
    }

    private void plainBooleans() {
        for (int first = 0; first < valueCount; first += 8) {
            int bits = 0;
            for (int i = first; i < Math.min(first + 8, valueCount); i++) {
                bits |= (int) values[i] << (i - first);
            }
            body.put(bits);
        }
    }

    private void plainValue(long value, LittleEndianBytes out) {
        if (isString) {
            int ordinal = (int) value;
            out.putInt(strings.length(ordinal));
            out.put(strings.bytes(), strings.firstByte(ordinal), strings.length(ordinal));
        } else if (leaf.type == PhysicalType.INT32) {
            out.putInt((int) value);
        } else {
            out.putLong(value);
        }
    }

    private void minMax() {
        for (int i = 0; i < valueCount; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
    }

    private void dataPage(Encoding encoding) {
        PageHeader page = compress(body, PageType.DATA_PAGE);
        page.setData_page_header(new DataPageHeader(entryCount, encoding, Encoding.RLE, Encoding.RLE));
        endPage(page, body, dataPages);
    }

    /** Compresses a page; returns its header, without the part that depends on the page type. */
    private PageHeader compress(LittleEndianBytes page, PageType type) {
        int bound = Math.toIntExact(Zstd.compressBound(page.size()));
        if (compressed.length < bound) {
            compressed = new byte[bound];
        }
        compressedSize = zstd.compressByteArray(compressed, 0, compressed.length, page.bytes(), 0, page.size());
        pageCrc.reset();
        pageCrc.update(compressed, 0, compressedSize);
        PageHeader made = new PageHeader(type, page.size(), compressedSize);
        made.setCrc((int) pageCrc.getValue());
        return made;
    }

    private void endPage(PageHeader of, LittleEndianBytes page, LittleEndianBytes to) {
        header.clear();
        ThriftBytes.write(of, header);
        headersCrc.add(to == dictionaryPage, header.bytes(), 0, header.size());
        to.put(header.bytes(), 0, header.size());
        to.put(compressed, 0, compressedSize);
        uncompressedSize += header.size() + page.size();
    }

    // ---------------------------------------------------------------- the chunk

    /** Returns the size of the pages made so far. */
    long compressedBytes() {
        return dictionaryPage.size() + dataPages.size();
    }

    LittleEndianBytes dictionaryPage() {
        return dictionaryPage;
    }

    LittleEndianBytes dataPages() {
        return dataPages;
    }

    /**
     * Completes the pages and returns their footer entry.
     *
     * @param start position at which the dictionary page is to be written, and then the data pages
     */
    ColumnChunk finish(long start) {
        flushPage();
        if (dictionaryIsOpen) {
            closeDictionary();
        }
        boolean hasDictionary = dictionaryPage.size() > 0;
        List<Encoding> encodings = new ArrayList<>(List.of(Encoding.RLE));
        if (hasDictionary) {
            encodings.add(Encoding.PLAIN_DICTIONARY);
        }
        if (plainUsed) {
            encodings.add(Encoding.PLAIN);
        }
        ColumnMetaData column = new ColumnMetaData(
                Type.findByValue(leaf.leafType().ordinal()),
                encodings,
                leaf.names(),
                CompressionCodec.ZSTD,
                chunkEntries,
                uncompressedSize,
                compressedBytes(),
                start + dictionaryPage.size());
        column.setKey_value_metadata(
                List.of(FooterWriter.keyValue(FooterWriter.HEADERS_CRC, FooterWriter.hex(headersCrc.value()))));
        if (hasDictionary) {
            column.setDictionary_page_offset(start);
        }
        Statistics statistics = new Statistics();
        statistics.setNull_count(nullCount);
        if (min <= max) {
            statistics.setMax_value(plain(max));
            statistics.setMin_value(plain(min));
        }
        column.setStatistics(statistics);
        ColumnChunk made = new ColumnChunk(start);
        made.setMeta_data(column);
        return made;
    }

    private byte[] plain(long value) {
        LittleEndianBytes plain = new LittleEndianBytes(Long.BYTES);
        plainValue(value, plain);
        return Arrays.copyOf(plain.bytes(), plain.size());
    }
}
