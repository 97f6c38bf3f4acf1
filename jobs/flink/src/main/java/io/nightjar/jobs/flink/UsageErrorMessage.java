package io.nightjar.jobs.flink;

import java.io.Serializable;

/** Why a history cannot be checked as asked, sent to the station that decides what becomes of it. */
record UsageErrorMessage(String reason) implements Serializable {}
