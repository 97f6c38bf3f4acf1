package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rejection of a history in which two transactions have one id.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 * The slices of later passes need no column but the ids.
 */
public final class UniqueIds {

    /*
     * Representation of the ids seen, the first that is applicable:
     *
     *   PAGES      bitmaps of 32 K ids each, 4 KB, for the ranges that occur. Dense ids cost an eighth of a byte each:
     *              100 million require 12.5 MB. Abandoned when pages are mostly empty.
     *   LIST       the ids themselves, 8 bytes each, sorted at the end of the pass.
     *   LAST_ONLY  when they do not fit but have strictly increased so far: only the last id. If a smaller id follows,
     *              the pass has no result, and the next begins with LIST.
     *   SEARCH     a duplicate is known; finds its rows.
     *
     * A LIST that does not fit is split into hash classes, and each class has a separate pass. A duplicate among
     * neighbors, in the same slice or in a bitmap is detected at its second row; a duplicate in a list when the list is
     * sorted.
     */
    private enum Keeping {
        PAGES,
        LIST,
        LAST_ONLY,
        SEARCH
    }

    static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    private static final int PAGE_SHIFT = 15;
    private static final int WORDS_PER_PAGE = 1 << (PAGE_SHIFT - 6);
    private static final long BYTES_PER_PAGE = 8L * WORDS_PER_PAGE;
    private static final long FREE_PAGE_BYTES = 1L << 20;
    private static final long PAGE_BYTES_PER_ID = 16;
    private static final int MIN_CAPACITY = 64;
    private static final long[] NO_IDS = {};

    private final long memoryBytes;
    private final int listCapacity;
    private final HashPasses classes = new HashPasses();

    private Keeping keeping = Keeping.PAGES;
    private Long2ObjectOpenHashMap<long[]> pages = new Long2ObjectOpenHashMap<>();
    private long lastPageNumber;
    private long @Nullable [] lastPage;

    private long[] list = NO_IDS;
    private int listed;

    private boolean isFirstPass = true;
    private boolean isFirst = true;
    private long last;
    private boolean isIncreasing = true;
    private long idCount;

    private boolean isDuplicateKnown;
    private long duplicate;
    private final DuplicateRows rows = new DuplicateRows() {
        @Override
        boolean isDuplicate(HistorySlice slice, int txn) {
            return slice.txnId[txn] == duplicate;
        }

        @Override
        MalformedHistoryException rejection(InputLocation first, InputLocation later) {
            return new MalformedHistoryException(
                    later,
                    InputError.of("duplicate transaction id")
                            .with("txn_id=" + duplicate + " first-row=" + first)
                            .advise("give every transaction a unique id"));
        }
    };

    public UniqueIds() {
        this(DEFAULT_MEMORY_BYTES);
    }

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public UniqueIds(long memoryBytes) {
        this.memoryBytes = memoryBytes;
        this.listCapacity = idsThatFit(memoryBytes);
    }

    /** Returns how many arbitrary ids fit: a list of them grows by half, so that two copies exist for a moment. */
    static int idsThatFit(long memoryBytes) {
        return (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / 16, Integer.MAX_VALUE - 8));
    }

    /**
     * Adds the next slice of the pass.
     *
     * @throws MalformedHistoryException naming both rows, if both are known
     */
    public void add(HistorySlice slice) {
        if (keeping == Keeping.SEARCH) {
            rows.search(slice);
            return;
        }
        long[] ids = slice.txnId;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (isDuplicateKnown) {
                return;
            }
            if (!add(ids[txn])) {
                duplicateAt(slice, txn);
            }
        }
    }

    /** Adds ids without their rows: duplicates are detected as usual, but their rows cannot be named. */
    void add(long[] ids, int count) {
        for (int i = 0; i < count && !isDuplicateKnown; i++) {
            if (!add(ids[i])) {
                isDuplicateKnown = true;
                duplicate = ids[i];
            }
        }
    }

    /** Returns the page of an id; ids of one page should be partitioned together. */
    static long pageOf(long id) {
        return id >> PAGE_SHIFT;
    }

    /** Returns whether a duplicate exists whose rows are to be found, so that the caller may end this pass early. */
    public boolean isSettled() {
        return isDuplicateKnown && keeping != Keeping.SEARCH;
    }

    /** Ends a pass. Returns false if it is certain that every id occurs once; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        if (keeping == Keeping.SEARCH) {
            throw new IllegalStateException("transaction id not found again: txnId=" + duplicate
                    + "; check whether the history was written to during the check");
        }
        if (!isDuplicateKnown && keeping == Keeping.LIST) {
            sortList();
        }
        if (isDuplicateKnown) {
            keep(Keeping.SEARCH);
            return true;
        }
        if (keeping == Keeping.LAST_ONLY && !isIncreasing || keeping == Keeping.LIST && classes.next()) {
            beginListPass();
            return true;
        }
        keep(Keeping.LAST_ONLY);
        return false;
    }

    /** Bytes held, for memory accounting. */
    public long byteSize() {
        return pages.size() * BYTES_PER_PAGE + 8L * list.length;
    }

    // ---------------------------------------------------------------- one id

    /** Returns false if the id is known to have been seen in this pass. */
    private boolean add(long id) {
        boolean isRepeated = !isFirst && id == last;
        isIncreasing &= isFirst || id > last;
        isFirst = false;
        last = id;
        if (isRepeated) {
            return false;
        }
        idCount++;
        return switch (keeping) {
            case PAGES -> addToPage(id);
            case LIST -> {
                addToList(id);
                yield true;
            }
            default -> true;
        };
    }

    private boolean addToPage(long id) {
        long pageNumber = pageOf(id);
        int pageCount = pages.size();
        if (lastPage == null || pageNumber != lastPageNumber) {
            lastPage = findOrAddPage(pageNumber);
            lastPageNumber = pageNumber;
        }
        int word = (int) (id >>> 6) & (WORDS_PER_PAGE - 1);
        long bit = 1L << id;
        boolean isNew = (lastPage[word] & bit) == 0;
        lastPage[word] |= bit;
        if (pages.size() > pageCount && pages.size() * BYTES_PER_PAGE > allowedPageBytes()) {
            leavePages();
        }
        return isNew;
    }

    private long[] findOrAddPage(long pageNumber) {
        long[] page = pages.get(pageNumber);
        if (page == null) {
            page = new long[WORDS_PER_PAGE];
            pages.put(pageNumber, page);
        }
        return page;
    }

    private long allowedPageBytes() {
        return Math.min(memoryBytes, FREE_PAGE_BYTES + PAGE_BYTES_PER_ID * idCount);
    }

    /** Replaces the pages by a list of their ids. */
    private void leavePages() {
        if (isIncreasing && idCount > listCapacity) {
            keep(Keeping.LAST_ONLY);
            return;
        }
        Long2ObjectOpenHashMap<long[]> left = pages;
        keep(Keeping.LIST);
        for (Long2ObjectMap.Entry<long[]> page : left.long2ObjectEntrySet()) {
            addPageToList(page.getLongKey() << PAGE_SHIFT, page.getValue());
        }
    }

    private void addPageToList(long firstId, long[] page) {
        for (int word = 0; word < WORDS_PER_PAGE; word++) {
            for (long bits = page[word]; bits != 0; bits &= bits - 1) {
                addToList(firstId + 64L * word + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    private void addToList(long id) {
        if (listed == list.length) {
            ensureCapacity();
        }
        if (keeping == Keeping.LIST && !isDuplicateKnown && classes.holds(id)) {
            list[listed++] = id;
        }
    }

    /** Makes a full list usable: it grows, or is replaced by the last id only, or loses half of its hash class. */
    private void ensureCapacity() {
        if (listed < listCapacity) {
            list = Arrays.copyOf(list, (int) Math.min(listCapacity, listed + (listed >> 1) + 1L));
            return;
        }
        if (isIncreasing && isFirstPass) {
            keep(Keeping.LAST_ONLY);
            return;
        }
        sortList();
        while (listed == list.length && !isDuplicateKnown) {
            classes.split();
            int kept = 0;
            for (int i = 0; i < listed; i++) {
                if (classes.holds(list[i])) {
                    list[kept++] = list[i];
                }
            }
            listed = kept;
        }
    }

    private void sortList() {
        if (!isIncreasing) {
            LongArrays.unstableSort(list, 0, listed);
        }
        for (int i = 1; i < listed; i++) {
            if (list[i] == list[i - 1]) {
                isDuplicateKnown = true;
                duplicate = list[i];
                return;
            }
        }
    }

    private void keep(Keeping next) {
        keeping = next;
        pages = new Long2ObjectOpenHashMap<>();
        lastPage = null;
        list = next == Keeping.LIST ? new long[MIN_CAPACITY] : NO_IDS;
        listed = 0;
    }

    private void beginListPass() {
        keep(Keeping.LIST);
        isFirstPass = false;
        isFirst = true;
        isIncreasing = true;
        idCount = 0;
    }

    private void duplicateAt(HistorySlice slice, int txn) {
        isDuplicateKnown = true;
        duplicate = slice.txnId[txn];
        rows.foundAt(slice, txn);
    }
}
