package io.nightjar.bench.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Damages copies of a file: {@code java Mutator.java SEED COUNT FILE FOLDER}.
 *
 * <p>The copies are named by their number in front of the file's own extension; the same arguments produce the same
 * bytes. Depends on none of our classes, so that it runs without a build.
 */
public final class Mutator {

    private static final byte[] TEMPTING = "\0\u0001\n\r\",:[]{}()-_0919eE.\\/ #\u007f".getBytes();

    private Mutator() {}

    public static void main(String[] args) throws IOException {
        long seed = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        Path file = Path.of(args[2]);
        Path folder = Files.createDirectories(Path.of(args[3]));
        byte[] original = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        for (int copy = 0; copy < count; copy++) {
            SplittableRandom random = new SplittableRandom(seed * 1_000_003 + copy);
            byte[] damaged = original;
            for (int times = 1 + random.nextInt(random.nextInt(3) == 0 ? 8 : 1); times > 0; times--) {
                damaged = damage(damaged, random);
            }
            Files.write(folder.resolve(String.format("%05d-%s", copy, name)), damaged);
        }
    }

    private static byte[] damage(byte[] from, SplittableRandom random) {
        if (from.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = position(from.length, random);
        int length = 1 + random.nextInt(Math.min(random.nextInt(4) == 0 ? 4_000 : 9, from.length - at));
        byte[] to = from.clone();
        switch (random.nextInt(9)) {
            case 0 -> to[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> to[at] = (byte) random.nextInt(256);
            case 2 -> to[at] = TEMPTING[random.nextInt(TEMPTING.length)];
            case 3 -> Arrays.fill(to, at, at + length, (byte) (random.nextBoolean() ? 0 : 0xff));
            case 4 -> to = Arrays.copyOf(from, at);
            case 5 -> to = splice(from, at, at + length, new byte[0]);
            case 6 -> to = splice(from, at, at, Arrays.copyOfRange(from, at, at + length));
            case 7 -> to = splice(from, at, at, bytes(length, random));
            default -> {
                int source = random.nextInt(from.length - length + 1);
                System.arraycopy(from, source, to, at, length);
            }
        }
        return to;
    }

    /** Headers and footers are hit as often as all the rest. */
    private static int position(int length, SplittableRandom random) {
        int edge = Math.min(length, 600);
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(edge);
            case 1 -> length - 1 - random.nextInt(edge);
            default -> random.nextInt(length);
        };
    }

    private static byte[] splice(byte[] from, int start, int end, byte[] insert) {
        byte[] to = new byte[from.length - (end - start) + insert.length];
        System.arraycopy(from, 0, to, 0, start);
        System.arraycopy(insert, 0, to, start, insert.length);
        System.arraycopy(from, end, to, start + insert.length, from.length - end);
        return to;
    }

    private static byte[] bytes(int count, SplittableRandom random) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
