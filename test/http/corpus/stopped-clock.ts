/** Preloaded into the program: its clock stands, so that no minute of the rate limit ends between two requests. */
const now = Date.now();
Date.now = () => now;
