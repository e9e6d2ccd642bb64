import * as fc from "fast-check";

/** The first failure is enough; shrinking would take minutes. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
