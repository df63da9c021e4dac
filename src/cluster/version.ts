/** Put in by the build. */
export const rollcallVersion = process.env['ROLLCALL_VERSION'] ?? '0.0.0'
