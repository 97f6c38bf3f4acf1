package io.nightjar.pipeline.online;

/** Where pages of an attic go that memory does not hold; storage that fails is an unchecked exception. */
public interface PageStore {

    /** There is no such place: such pages are forgotten. */
    PageStore NONE = new PageStore() {
        @Override
        public boolean keep(long number, byte[] page) {
            return false;
        }

        @Override
        public byte[] read(long number, int length) {
            throw new AssertionError("bug: a page was read that was never kept: page=" + number);
        }

        @Override
        public void drop(long number) {}
    };

    /** Keeps a page; numbers go up by one. Returns false if there is no room. */
    boolean keep(long number, byte[] page);

    byte[] read(long number, int length);

    /** A page is not asked for any more. */
    void drop(long number);
}
