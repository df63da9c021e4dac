/** The version of Kubernetes whose API is served. */
export const kubernetes = { major: '1', minor: '36', version: 'v1.36.4' }
