package io.nightjar.formats.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Role of a table column: the property of an operation or transaction that it contains, and its usual names. */
public enum ColumnRole {
    TXN("txn", "txnid tx txid transaction transactionid xid tid trx trxid gtid"),
    SESSION(
            "session",
            "sessionid sid client clientid process processid conn connid connection connectionid thread threadid worker workerid"),
    SESSION_SEQ("session_seq", "sessionseq txnseq txnindex sessionindex sessionposition"),
    /** The position in the transaction, or in the session if each transaction has only one number. */
    SEQ("seq", "sequence seqno"),
    OP_INDEX("op_index", "opindex opseq opno opnum index idx position pos step ordinal"),
    OP("op", "kind optype opkind operation action type f t"),
    TABLE("table", "tablename relation"),
    KEY("key", "k keyid opkey object obj item variable var pk primarykey"),
    VALUE("value", "v val opvalue newvalue data"),
    ELEMENTS("elements", "list"),
    VERSION("version", "ver versionseq revision"),
    WRITER("writer", "writertxn writertxnid readfrom readsfrom"),
    STATUS("status", "outcome state txnstatus committed iscommitted"),
    START("start", "startts starttimestamp sts begints snapshotts snapshot readts"),
    COMMIT("commit", "committs committimestamp cts"),
    INVOKE("invoke", "invokens invoketime invokets begin begintime starttime call"),
    COMPLETE("complete", "completens completetime completets end endtime finish return");

    private static final int MAX_NAME_LENGTH = 40;
    private static final Map<String, ColumnRole> ROLE_BY_NAME = new HashMap<>();

    static {
        for (ColumnRole role : values()) {
            role.names.forEach(name -> ROLE_BY_NAME.putIfAbsent(name, role));
        }
    }

    private final String spelling;
    private final List<String> names;

    /** @param others further names, with blanks between them */
    ColumnRole(String spelling, String others) {
        this.spelling = spelling;
        List<String> all = new ArrayList<>(List.of(others.split(" ")));
        all.add(0, plain(spelling));
        this.names = List.copyOf(all);
    }

    /** Returns the name in {@code --map}. */
    public String spelling() {
        return spelling;
    }

    /** Returns the role with this {@link #spelling}, or with this usual name; null if none matches. */
    public static @Nullable ColumnRole named(String name) {
        return name.length() > MAX_NAME_LENGTH
                ? null
                : ROLE_BY_NAME.get(plain(name)); // other lines may have long names
    }

    /** Returns a name in lower case, without separators of words. */
    private static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        for (char c : name.trim().toLowerCase(Locale.ROOT).toCharArray()) {
            if (c != '_' && c != '-' && c != ' ' && c != '.') {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /** Returns all {@link #spelling}s, as messages list them. */
    public static String expected() {
        List<String> spellings = new ArrayList<>();
        for (ColumnRole role : values()) {
            spellings.add(role.spelling);
        }
        return String.join("|", spellings);
    }
}
