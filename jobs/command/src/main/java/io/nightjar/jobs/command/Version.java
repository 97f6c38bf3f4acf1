package io.nightjar.jobs.command;

import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "nightjar %s (java %s, %s %s)"
                    .formatted(
                            number(),
                            System.getProperty("java.version"),
                            System.getProperty("os.name"),
                            System.getProperty("os.arch"))
        };
    }

    /** Returns the version from the jar's manifest; {@code dev} when run from classes. */
    public static String number() {
        String number = Version.class.getPackage().getImplementationVersion();
        return number == null ? "dev" : number;
    }
}
