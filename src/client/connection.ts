// Where an API server is, and how to get in: what a kubeconfig says, read and ready.

export interface Connection {
  /** `https://10.0.0.1:6443`; a path in front of the API is kept. */
  readonly server: string
  /** PEM. Without it the machine's own authorities count. */
  readonly certificateAuthority?: string
  readonly skipTlsVerify?: boolean
  /** The name in the server's certificate, where it is not the one in `server`. */
  readonly tlsServerName?: string
  /** PEM. */
  readonly clientCertificate?: string
  readonly clientKey?: string
  /** Asked before each request: tokens change. */
  token?(): string
  readonly basic?: { readonly username: string; readonly password: string }
  readonly impersonate?: {
    readonly user: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
  /** Of the context, where it names one. */
  readonly namespace?: string
}
