package io.nightjar.pipeline.online;

/** Where pages of an attic go that memory does not hold; storage that fails is an unchecked exception. */
public interface AtticPages {

    /** There is no such place: such pages are forgotten. */
    AtticPages NONE = new AtticPages() {
        @Override
        public long capacity() {
            return 0;
        }

        @Override
        public void write(long number, byte[] page) {}

        @Override
        public byte[] read(long number, int length) {
            throw new AssertionError("cannot happen: a page was read that was never kept: page=" + number);
        }
    };

    /** How many pages are kept, the last ones. */
    long capacity();

    /** Keeps a page; numbers go up by one. */
    void write(long number, byte[] page);

    byte[] read(long number, int length);
}
