package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/** The user, or the delegation token, with which requests are sent to Hadoop. */
final class HadoopIdentity {

    /*
     * Layout of a file of tokens: HDTS, a byte 0, the number of tokens, and for each token its alias and four fields:
     * identifier, password, kind and service. Each field begins with its length. A number has one byte. If that byte is
     * below -112, it states how many bytes follow, which are the number. A request contains the four fields as they are
     * in the file, in Base64 for URLs.
     */

    private static final byte[] MAGIC = {'H', 'D', 'T', 'S', 0};
    private static final int MAX_FIELD = 1 << 16;

    private final Map<String, String> environment;

    HadoopIdentity(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns whether a delegation token is used. */
    boolean hasToken() {
        return !variable("HADOOP_TOKEN").isEmpty()
                || !variable("HADOOP_TOKEN_FILE_LOCATION").isEmpty();
    }

    /** Returns the parameter of a request that identifies the sender. */
    String parameter(String root) {
        if (hasToken()) {
            String given = variable("HADOOP_TOKEN");
            return "delegation=" + HttpCaller.encodeValue(given.isEmpty() ? tokenOfFile(root) : given);
        }
        String named = variable("HADOOP_USER_NAME");
        return "user.name=" + HttpCaller.encodeValue(named.isEmpty() ? System.getProperty("user.name") : named);
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    private String tokenOfFile(String root) {
        String file = variable("HADOOP_TOKEN_FILE_LOCATION");
        try {
            byte[] all = Files.readAllBytes(Path.of(file));
            ByteArrayInputStream rest = new ByteArrayInputStream(all);
            DataInputStream in = new DataInputStream(rest);
            if (Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
                for (int left = number(in); left > 0; left--) {
                    field(in); // alias
                    int start = all.length - rest.available();
                    field(in);
                    field(in);
                    String kind = field(in);
                    field(in);
                    if (kind.equals("WEBHDFS delegation") || kind.equals("HDFS_DELEGATION_TOKEN")) {
                        return Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(Arrays.copyOfRange(all, start, all.length - rest.available()));
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new AddressException("[" + root + "] file of tokens is not readable: file=" + file + " reason="
                    + unreadable.getClass().getSimpleName() + "; write it again with hdfs fetchdt");
        }
        throw new AddressException(
                "[" + root + "] file has no delegation token of HDFS: file=" + file + "; write it with hdfs fetchdt");
    }

    private static String field(DataInputStream in) throws IOException {
        int length = number(in);
        if (length < 0 || length > MAX_FIELD) {
            throw new IOException("length of a field is out of range");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int number(DataInputStream in) throws IOException {
        int first = in.readByte();
        int value = first < -112 ? 0 : first;
        for (int left = first < -112 ? -112 - first : 0; left > 0; left--) {
            value = value << 8 | in.readUnsignedByte();
        }
        return value;
    }
}
