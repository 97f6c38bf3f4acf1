package io.nightjar.jobs.flink;

import java.io.Serializable;

/** Why a history cannot be checked as requested, sent to the stage that decides on the consequence. */
record UsageErrorMessage(String reason) implements Serializable {}
