package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An {@link SealedRowStore} as a log of pages: the last ones in memory, those before elsewhere, and the oldest forgotten. */
public final class SealedRowLog implements SealedRowStore {

    /*
     * Rows of one sequence that are put one after another are a block. Blocks stand behind each other in pages, and each
     * knows the one before it of its sequence:
     *
     *   a group of room plus one (0 behind the last block of a page), sequence, address of the block before plus one (0 for
     *           none), the greatest time in this block and all before it, how many rows
     *   a group for each row: its numbers, as differences to its neighbour's or to zero
     *
     *   heads[room >> 1]   of a sequence, for two rooms beside each other: address of the last block, plus one, and the
     *                      greatest time of all blocks, so that no page is read to add one
     *
     * A search for what is behind a time goes back until the greatest time says that there is no more. Rows that are
     * taken leave the log as it is: those of their blocks that stay are put again.
     */

    /** A page that was read from elsewhere. */
    private record Page(long number, byte[] bytes) {}

    /** Bytes of a page. */
    public static final int PAGE_BYTES = 1 << 16;

    /** How many of the last rows of a sequence are looked back at. */
    private static final int MAX_LOOKED_BACK_AT = 1_000;

    private static final Comparator<SealedRow> IN_ORDER = Comparator.<SealedRow>comparingLong(row -> row.at)
            .thenComparingInt(row -> RowMeta.rowClass(row.meta))
            .thenComparingLong(row -> row.id);

    private static final int MAX_BYTES_OF_ROW = 128; // with a share of the head

    private static final int NUMBERS_OF_HEAD = 5;
    private static final int NUMBERS_OF_ROW = 7;

    private static final int ADDRESS = 0;
    private static final int GREATEST = 1;
    private static final int NUMBERS_OF_ROOM = 2;

    private final int pageBytes;
    private final int mostInBlock;
    private final int pagesInMemory;
    private final PageStore elsewhere;
    private Forgetting forgetting = (capacity, sequence, row) -> {};
    private final KeyPageCache keyRoom;
    private PagedKeyColumns[] heads = new PagedKeyColumns[0];

    private byte[] page; // the one that is being filled
    private byte @Nullable [] spare; // an empty one, or null
    private int filled;
    private long pageNumber;
    private final List<byte[]> recent = new ArrayList<>(); // those before it, oldest first
    private long firstKept; // page number
    private @Nullable Page cached; // the one that was read last from elsewhere

    private int openRoom = -1;
    private int openSequence;
    private int openCount; // of the block that rows are put into
    private long openGreatest;
    private long openAt; // of the row put last, as are those behind
    private long openId;
    private long openArrived;
    private final ByteWriter openRows = new ByteWriter(1 << 10);
    private final ByteWriter blockHead = new ByteWriter(1 << 6);
    private final long[] group = new long[NUMBERS_OF_ROW];

    /**
     * @param memoryBytes how much is held in memory
     * @param keyRoom where it is known where the rows of each sequence are
     */
    public SealedRowLog(long memoryBytes, PageStore elsewhere, KeyPageCache keyRoom) {
        this(PAGE_BYTES, (int) Math.max(2, memoryBytes / PAGE_BYTES), elsewhere, keyRoom);
    }

    SealedRowLog(int pageBytes, int pagesInMemory, PageStore elsewhere, KeyPageCache keyRoom) {
        this.keyRoom = keyRoom;
        this.pageBytes = pageBytes;
        this.pagesInMemory = pagesInMemory;
        this.elsewhere = elsewhere;
        this.page = new byte[pageBytes];
        this.mostInBlock = Math.max(1, pageBytes / MAX_BYTES_OF_ROW);
    }

    // ---------------------------------------------------------------- writing

    @Override
    public void append(int capacity, int sequence, SealedRow row) {
        if (capacity != openRoom || sequence != openSequence || openCount == mostInBlock) {
            flush();
            openRoom = capacity;
            openSequence = sequence;
        }
        if (openCount == 0) {
            openGreatest = head(capacity, sequence) == 0 ? Long.MIN_VALUE : greatestOf(capacity, sequence);
        }
        openGreatest = Math.max(openGreatest, row.at);
        group[0] = ByteWriter.zigzag(row.at - openAt);
        group[1] = row.meta;
        group[2] = ByteWriter.zigzag(row.value);
        group[3] = ByteWriter.zigzag(row.id - openId);
        group[4] = ByteWriter.zigzag(row.start - row.at);
        group[5] = ByteWriter.zigzag(row.commit - row.at);
        group[6] = ByteWriter.zigzag(row.arrived - openArrived);
        openRows.putGroup(group, NUMBERS_OF_ROW);
        openAt = row.at;
        openId = row.id;
        openArrived = row.arrived;
        openCount++;
    }

    /** Ends the block that rows are put into. */
    private void flush() {
        if (openCount == 0) {
            return;
        }
        blockHead.clear();
        group[0] = openRoom + 1;
        group[1] = openSequence;
        group[2] = head(openRoom, openSequence);
        group[3] = ByteWriter.zigzag(openGreatest);
        group[4] = openCount;
        blockHead.putGroup(group, NUMBERS_OF_HEAD);
        if (filled + blockHead.size() + openRows.size() > pageBytes) {
            nextPage();
        }
        long address = pageNumber * pageBytes + filled + 1;
        fill(blockHead);
        fill(openRows);
        setHead(openRoom, openSequence, address, openGreatest);
        openRows.clear();
        openCount = 0;
        openAt = 0;
        openId = 0;
        openArrived = 0;
    }

    private void fill(ByteWriter from) {
        System.arraycopy(from.bytes(), 0, page, filled, from.size());
        filled += from.size();
    }

    private void nextPage() {
        recent.add(page);
        pageNumber++;
        filled = 0;
        page = spare == null ? new byte[pageBytes] : spare;
        spare = null;
    }

    @Override
    public void evict() {
        while (recent.size() >= pagesInMemory) {
            moveOut(recent.remove(0));
        }
    }

    private void moveOut(byte[] oldest) {
        long number = pageNumber - 1 - recent.size();
        while (!elsewhere.keep(number, oldest)) {
            long first = firstKept;
            if (first == number) {
                forget(number, oldest);
                break;
            }
            forget(first, elsewhere.read(first, pageBytes));
            elsewhere.drop(first);
        }
        Arrays.fill(oldest, (byte) 0);
        spare = oldest;
    }

    private void forget(long number, byte[] bytes) {
        firstKept = number + 1;
        ByteReader feed = new ByteReader(bytes, 0, bytes.length);
        List<SealedRow> rows = new ArrayList<>();
        long[] head = new long[NUMBERS_OF_HEAD];
        while (feed.size() >= Integer.BYTES) {
            feed.getGroup(head, NUMBERS_OF_HEAD);
            int capacity = (int) head[0] - 1;
            if (capacity < 0) {
                return;
            }
            int sequence = (int) head[1];
            rows.clear();
            readRows(feed, (int) head[4], rows);
            for (SealedRow row : rows) {
                forgetting.forgotten(capacity, sequence, row);
            }
        }
    }

    @Override
    public void setEvictionListener(Forgetting to) {
        forgetting = to;
    }

    // ---------------------------------------------------------------- reading

    private long head(int capacity, int sequence) {
        return capacity >>> 1 < heads.length
                ? heads[capacity >>> 1].get(sequence, ADDRESS + numbersBefore(capacity))
                : 0;
    }

    private long greatestOf(int capacity, int sequence) {
        return heads[capacity >>> 1].get(sequence, GREATEST + numbersBefore(capacity));
    }

    private static int numbersBefore(int capacity) {
        return (capacity & 1) * NUMBERS_OF_ROOM;
    }

    @Override
    public long prefetch(int capacity, int[] sequences, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += head(capacity, sequences[i]);
        }
        return seen;
    }

    private void setHead(int capacity, int sequence, long address, long greatest) {
        int pair = capacity >>> 1;
        if (pair >= heads.length) {
            int before = heads.length;
            heads = Arrays.copyOf(heads, pair + 1);
            Arrays.setAll(
                    heads, each -> each < before ? heads[each] : new PagedKeyColumns(keyRoom, 2 * NUMBERS_OF_ROOM));
        }
        heads[pair].set(sequence, ADDRESS + numbersBefore(capacity), address);
        heads[pair].set(sequence, GREATEST + numbersBefore(capacity), greatest);
    }

    private boolean isKept(long address) {
        return address != 0 && (address - 1) / pageBytes >= firstKept;
    }

    /** The block at an address. */
    private ByteReader feed(long address) {
        long number = (address - 1) / pageBytes;
        int from = (int) ((address - 1) % pageBytes);
        if (number == pageNumber) {
            return new ByteReader(page, from, pageBytes - from);
        }
        long inMemory = number - (pageNumber - recent.size());
        if (inMemory >= 0) {
            return new ByteReader(recent.get((int) inMemory), from, pageBytes - from);
        }
        return new ByteReader(cached(number), from, pageBytes - from);
    }

    private byte[] cached(long number) {
        Page page = cached;
        if (page == null || page.number != number) {
            page = new Page(number, elsewhere.read(number, pageBytes));
            cached = page;
        }
        return page.bytes;
    }

    private long greatest(long address) {
        feed(address).getGroup(group, NUMBERS_OF_HEAD);
        return ByteReader.unzigzag(group[3]);
    }

    /** Adds a block's rows to a list; returns the address of the block before it. */
    private long read(long address, List<SealedRow> into) {
        ByteReader feed = feed(address);
        feed.getGroup(group, NUMBERS_OF_HEAD);
        long previous = group[2];
        readRows(feed, (int) group[4], into);
        return previous;
    }

    private void readRows(ByteReader feed, int count, List<SealedRow> into) {
        long at = 0;
        long id = 0;
        long arrived = 0;
        for (int i = 0; i < count; i++) {
            feed.getGroup(group, NUMBERS_OF_ROW);
            SealedRow row = new SealedRow();
            at += ByteReader.unzigzag(group[0]);
            row.at = at;
            row.meta = group[1];
            row.value = ByteReader.unzigzag(group[2]);
            id += ByteReader.unzigzag(group[3]);
            row.id = id;
            row.start = at + ByteReader.unzigzag(group[4]);
            row.commit = at + ByteReader.unzigzag(group[5]);
            arrived += ByteReader.unzigzag(group[6]);
            row.arrived = arrived;
            into.add(row);
        }
    }

    /** All rows from a time on, and those before it in the same blocks. */
    private long readFrom(int capacity, int sequence, long from, List<SealedRow> into) {
        flush();
        long address = head(capacity, sequence);
        while (isKept(address) && greatest(address) >= from) {
            address = read(address, into);
        }
        into.sort(IN_ORDER);
        return address;
    }

    @Override
    public void removeFrom(int capacity, int sequence, long from, Visitor to) {
        List<SealedRow> rows = new ArrayList<>();
        long before = readFrom(capacity, sequence, from, rows);
        if (rows.isEmpty()) {
            return;
        }
        int first = 0;
        while (first < rows.size() && rows.get(first).at < from) {
            first++;
        }
        long greatestBefore = isKept(before) ? greatest(before) : Long.MIN_VALUE;
        setHead(capacity, sequence, before, greatestBefore);
        for (SealedRow row : rows.subList(0, first)) {
            append(capacity, sequence, row);
        }
        flush();
        for (SealedRow row : rows.subList(first, rows.size())) {
            to.row(row);
        }
    }

    @Override
    public boolean lastBefore(int capacity, int sequence, long before, SealedRow into) {
        flush();
        boolean isFound = false;
        List<SealedRow> rows = new ArrayList<>();
        long address = head(capacity, sequence);
        while (isKept(address) && (!isFound || greatest(address) > into.at)) {
            rows.clear();
            address = read(address, rows);
            for (SealedRow row : rows) {
                boolean isLater = !isFound || into.isBefore(row.at, RowMeta.rowClass(row.meta), row.id);
                if (row.at < before && isLater) {
                    into.copy(row);
                    isFound = true;
                }
            }
        }
        return isFound;
    }

    @Override
    public void forEachFrom(int capacity, int sequence, long from, Visitor to) {
        List<SealedRow> rows = new ArrayList<>();
        readFrom(capacity, sequence, from, rows);
        for (SealedRow row : rows) {
            if (row.at >= from) {
                to.row(row);
            }
        }
    }

    @Override
    public void forEachBefore(int capacity, int sequence, long before, Seeker to) {
        flush();
        List<SealedRow> rows = new ArrayList<>();
        long address = head(capacity, sequence);
        while (isKept(address) && rows.size() < MAX_LOOKED_BACK_AT) {
            address = read(address, rows);
        }
        rows.sort(IN_ORDER.reversed());
        for (SealedRow row : rows) {
            if (row.at < before && to.isEnough(row)) {
                return;
            }
        }
    }

    @Override
    public void release() {
        recent.clear();
        page = new byte[0];
        spare = null;
        cached = null;
        for (PagedKeyColumns capacity : heads) {
            capacity.release();
        }
    }

    @Override
    public long byteSize() {
        long bytes = (recent.size() + 1L) * pageBytes;
        for (PagedKeyColumns capacity : heads) {
            bytes += capacity.byteSize();
        }
        return bytes;
    }
}
