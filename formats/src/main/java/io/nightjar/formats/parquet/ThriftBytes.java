package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/** Reads and writes Parquet's Thrift structures in byte arrays; checks every length against the available bytes. */
final class ThriftBytes extends TEndpointTransport {

    private static final int MAX_NESTING = 64;

    static {
        TProtocolUtil.setMaxSkipDepth(MAX_NESTING);
    }

    private final LittleEndianBytes out; // output
    private final byte[] in; // input, up to end
    private int position;
    private final int end;

    private ThriftBytes(byte[] in, int from, int to, LittleEndianBytes out) throws TTransportException {
        super(new TConfiguration(Math.max(1, to - from), TConfiguration.DEFAULT_MAX_FRAME_SIZE, MAX_NESTING));
        this.in = in;
        this.position = from;
        this.end = to;
        this.out = out;
    }

    /** Reads a footer that fills the array. */
    static FileMetaData footer(byte[] bytes) {
        FileMetaData metadata = new FileMetaData();
        if (read(metadata, bytes, 0, bytes.length) != bytes.length) {
            throw new CorruptFileException(InputError.of("bytes are left over"));
        }
        return metadata;
    }

    /** Reads a page header; returns the position after it. */
    static int read(PageHeader into, byte[] bytes, int from, int to) {
        return read((TBase<?, ?>) into, bytes, from, to);
    }

    private static int read(TBase<?, ?> into, byte[] bytes, int from, int to) {
        try {
            ThriftBytes transport = new ThriftBytes(bytes, from, to, new LittleEndianBytes(0));
            into.read(new TCompactProtocol(transport, to - from, to - from));
            return transport.position;
        } catch (TException e) {
            throw new CorruptFileException(InputError.of("bad thrift structure").with("detail=" + e.getMessage()));
        }
    }

    /** Appends a structure to some bytes. */
    static void write(TBase<?, ?> structure, LittleEndianBytes to) {
        try {
            structure.write(new TCompactProtocol(new ThriftBytes(new byte[0], 0, 0, to)));
        } catch (TException e) {
            throw new AssertionError("bug: structure cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {
        // always open
    }

    @Override
    public void close() {
        // no resources
    }

    @Override
    public int read(byte[] into, int offset, int length) throws TTransportException {
        if (length > end - position) {
            throw new TTransportException(TTransportException.END_OF_FILE, "structure ends early");
        }
        System.arraycopy(in, position, into, offset, length);
        position += length;
        return length;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        out.put(from, offset, length);
    }

    @Override
    public byte[] getBuffer() {
        return in;
    }

    @Override
    public int getBufferPosition() {
        return position;
    }

    @Override
    public int getBytesRemainingInBuffer() {
        return end - position;
    }

    @Override
    public void consumeBuffer(int length) {
        position += length;
    }
}
