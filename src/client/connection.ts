// The address of an API server, with the credentials for it.

export interface Connection {
  /** `https://10.0.0.1:6443`; a path in front of the API is kept. */
  readonly server: string
  /** PEM. Default: the authorities that the machine trusts. */
  readonly certificateAuthority?: string
  readonly skipTlsVerify?: boolean
  /** The name in the server's certificate, if it differs from the host in `server`. */
  readonly tlsServerName?: string
  /** HTTP/1.1 only, for servers or proxies whose HTTP/2 does not work. */
  readonly disableHttp2?: boolean
  /** PEM. */
  readonly clientCertificate?: string
  readonly clientKey?: string
  /** Called for each request: tokens are renewed. */
  token?(): string
  readonly basic?: { readonly username: string; readonly password: string }
  readonly impersonate?: {
    readonly user: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
  /** The namespace of the context, if it has one. */
  readonly namespace?: string
}
