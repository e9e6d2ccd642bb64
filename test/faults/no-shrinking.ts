import * as fc from "fast-check";

/** The first failure is enough: a smaller one would take minutes to find. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
