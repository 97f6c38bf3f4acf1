package io.nightjar.api;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockSession.Manner;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.ObjectSpace;
import io.nightjar.jobs.mock.RowObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values in this process, read as weakly as an isolation level allows: the store to test an application's
 * transactions against. Threads may use it at the same time, each with a separate session; each session is for one
 * thread at a time.
 */
public final class WeakStore implements AutoCloseable {

    private static final String SPACE = "kv";
    private static final StackWalker STACK = StackWalker.getInstance();

    private final MockStore store;
    private final @Nullable MockArchive archive;
    private final ObjectSpace space;
    private final NavigableMap<String, RowObject> objects = new TreeMap<>();
    private final MockSession assertions;
    private boolean isClosed;

    /** Builder of a store. */
    public static final class Builder {

        private final IsolationLevel level;
        private long seed = 1;
        private @Nullable Path archive;

        private Builder(IsolationLevel level) {
            this.level = level;
        }

        /** Sets the seed: the same seed and the same order of calls produce the same results of reads. */
        public Builder seed(long number) {
            seed = number;
            return this;
        }

        /** Records the transactions in a file, which {@link History#read} reads once the store is closed. */
        public Builder archive(Path file) {
            archive = file;
            return this;
        }

        /**
         * Opens the store.
         *
         * @throws UncheckedIOException if the archive cannot be written
         */
        public WeakStore open() {
            return new WeakStore(MockOptions.of(level, seed), archive == null ? null : MockArchive.of(archive));
        }
    }

    /** A transaction has found no position among the others, and has been rolled back. Try again. */
    public static final class AbortedException extends RuntimeException {

        private AbortedException(MockException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** One client, whose transactions follow each other. */
    public final class Session {

        private final MockSession mock;

        /** The transaction that the session is in, null if none. */
        private @Nullable Txn open;

        private boolean isEnded;

        private Session(MockSession mock) {
            this.mock = mock;
        }

        private void checkOpen() {
            checkStoreIsOpen();
            if (isEnded) {
                throw new IllegalStateException("the session is closed; open another one");
            }
        }

        /** Begins a transaction; rolls an open one back. */
        public Txn begin() {
            return alone(() -> {
                checkOpen();
                mock.rollback();
                mock.begin();
                open = new Txn(this);
                return open;
            });
        }

        /** Ends the session; rolls an open transaction back. */
        public void close() {
            alone(() -> {
                open = null;
                isEnded = true;
                mock.close();
                return null;
            });
        }
    }

    /** One transaction: reads return any version that the level allows. */
    public final class Txn {

        private final Session session;
        private final MockSession mock;

        private Txn(Session session) {
            this.session = session;
            this.mock = session.mock;
        }

        /** Works in the transaction, which must not have ended. */
        private <T> T within(Supplier<T> work) {
            return alone(() -> {
                session.checkOpen();
                if (session.open != this) {
                    throw new IllegalStateException("the transaction has ended; begin another one");
                }
                try {
                    return work.get();
                } catch (MockException failed) {
                    session.open = failed.endsTransaction() ? null : this;
                    throw failed;
                }
            });
        }

        private void end() {
            session.open = null;
        }

        /** Returns the value of a key, null if the key does not exist. */
        public @Nullable String get(String key) {
            return read("get", key, Manner.WEAK);
        }

        /** Returns the last committed value; the transaction fails if another one changes it before the end. */
        public @Nullable String getForUpdate(String key) {
            return read("getForUpdate", key, Manner.LOCKED);
        }

        /** Returns the keys from a bound, inclusive, up to another, exclusive, with their values. */
        public SortedMap<String, String> scan(@Nullable String from, @Nullable String to) {
            if (from == null || to == null) {
                throw new IllegalArgumentException("no range: from=" + from + " to=" + to + "; give two texts");
            }
            String call = call("scan", from + "\", \"" + to);
            return within(() -> {
                mock.statement(call);
                mock.scanRange(space, from + ".." + to, object -> isBetween(keyOf(object), from, to));
                SortedMap<String, String> found = new TreeMap<>();
                for (RowObject object : objects.subMap(from, to).values()) {
                    Object value = mock.isUnborn(object) ? null : mock.read(object, Manner.WEAK);
                    if (value != null) {
                        found.put(keyOf(object), (String) value);
                    }
                }
                return found;
            });
        }

        /** Sets the value of a key. */
        public Txn put(String key, @Nullable String value) {
            if (value == null) {
                throw new IllegalArgumentException("no value: key=" + key + "; delete takes a key away");
            }
            return write("put", key, value);
        }

        /** Deletes a key. */
        public Txn delete(String key) {
            return write("delete", key, null);
        }

        /** Commits the transaction. */
        public void commit() {
            within(() -> {
                MockSession.Outcome outcome = mock.commit();
                end();
                return outcome;
            });
        }

        /** Ends the transaction as if it had never been; does nothing if it has ended. */
        public void rollback() {
            alone(() -> {
                if (session.open == this) {
                    mock.rollback();
                    end();
                }
                return null;
            });
        }

        private @Nullable String read(String name, String key, Manner manner) {
            String call = call(name, key);
            return within(() -> {
                mock.statement(call);
                return (String) mock.read(object(key), manner);
            });
        }

        private Txn write(String name, String key, @Nullable String value) {
            String call = call(name, value == null ? key : key + "\", \"" + value);
            return within(() -> {
                mock.statement(call);
                mock.write(space, object(key), value, version -> text(value, version));
                return this;
            });
        }
    }

    private WeakStore(MockOptions options, @Nullable MockArchive archive) {
        this.archive = archive;
        this.store = MockStore.of(options, archive);
        this.space = store.newSpace(SPACE);
        this.assertions = alone(store::openSession);
        assertions.readNewest(true);
        try {
            if (archive != null) {
                archive.begin();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Returns a builder of a store that keeps a level.
     *
     * @param level rc ra cc pc si ser, or their long names
     * @throws IllegalArgumentException if no level has this name
     */
    public static Builder at(String level) {
        IsolationLevel known = IsolationLevel.byName(level.toLowerCase(Locale.ROOT));
        if (known == null || !IsolationLevel.all().contains(known)) {
            throw new IllegalArgumentException(
                    "no store keeps this level: level=" + level + "; give one of rc, ra, cc, pc, si and ser");
        }
        return new Builder(known);
    }

    private void checkStoreIsOpen() {
        if (isClosed) {
            throw new IllegalStateException("the store is closed; open another one");
        }
    }

    /** Sets a value of a key that all transactions observe from the beginning; none may be open. */
    public WeakStore load(String key, @Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException("no value: key=" + key + "; load it first");
        }
        return alone(() -> {
            checkStoreIsOpen();
            try {
                store.enter(MockStore.Phase.LOAD, assertions);
            } catch (MockException notNow) {
                throw new IllegalStateException("load: a transaction is open; load before, or end it first", notNow);
            }
            assertions.write(space, object(key), value, version -> text(value, version));
            assertions.commit();
            store.enter(MockStore.Phase.RUN, assertions);
            return this;
        });
    }

    /**
     * Opens a session of a client.
     *
     * @param name in the archive
     */
    public Session session(String name) {
        return alone(() -> {
            checkStoreIsOpen();
            MockSession session = store.openSession();
            session.client(name);
            return new Session(session);
        });
    }

    /**
     * Returns the last committed value, null if the key does not exist; for assertions, outside of all transactions.
     */
    public String newest(String key) {
        return alone(() -> (String) object(key).newestContent());
    }

    /** Rolls open transactions back, and completes the archive. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            store.finish();
            if (archive != null) {
                archive.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private <T> T alone(Supplier<T> work) {
        store.lock().lock();
        try {
            return work.get();
        } catch (MockException failed) {
            throw failed.endsTransaction() ? new AbortedException(failed) : failed;
        } finally {
            store.lock().unlock();
        }
    }

    private RowObject object(@Nullable String key) {
        if (key == null) {
            throw new IllegalArgumentException("no key: give a text");
        }
        return objects.computeIfAbsent(key, name -> store.newObject(space, name, name));
    }

    /** Returns the key that is the handle of an object of {@link #object}. */
    private static String keyOf(RowObject object) {
        return (String) requireNonNull(object.handle());
    }

    private static boolean isBetween(String key, String from, String to) {
        return key.compareTo(from) >= 0 && key.compareTo(to) < 0;
    }

    /** Returns a version as text in the archive, different from all others. */
    private static String text(@Nullable String value, long version) {
        return value == null
                ? "{\"_deleted\":true,\"_v\":" + version + "}"
                : "{\"_v\":" + version + ",\"value\":\"" + escaped(value) + "\"}";
    }

    private static String escaped(String value) {
        StringBuilder text = new StringBuilder();
        for (char letter : value.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                text.append('\\').append(letter);
            } else if (letter < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
            } else {
                text.append(letter);
            }
        }
        return text.toString();
    }

    /** Returns a call and its location in the application. */
    private static String call(String name, String arguments) {
        String storeClass = WeakStore.class.getName();
        String location = STACK.walk(
                frames -> frames.filter(frame -> !frame.getClassName().equals(storeClass)
                                && !frame.getClassName().startsWith(storeClass + "$"))
                        .findFirst()
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName()
                                + ":" + frame.getLineNumber() + ")")
                        .orElse("?"));
        return name + "(\"" + arguments + "\") at " + location;
    }
}
