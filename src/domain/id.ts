/** Accepts the id of anything but a user (contract, section 8). */
export const ID = /^[A-Za-z0-9_-]{1,128}$/;
