// Rollcall's own endpoints below /rollcall/. They require system:masters and are not part of discovery.
import { badRequestError, failure, tooLargeError } from '../../api/machinery/status-error.ts'
import type { Request } from './request.ts'

export const ownPrefix = '/rollcall/'

export interface OwnRequest {
  readonly method: string
  readonly path: string
  /** Parsed JSON. Undefined without a body. */
  readonly body: unknown
}

export interface OwnResponse {
  /** Default 200. */
  readonly code?: number
  readonly body: object
}

/** Undefined when there is no such path. Throws a StatusError to refuse a request. */
export type HandleOwnPath = (request: OwnRequest) => OwnResponse | undefined | Promise<OwnResponse | undefined>

export async function sendOwn(request: Request, handleOwnPath: HandleOwnPath, bodyLimitBytes: number): Promise<void> {
  const { exchange, path } = request
  const response = await handleOwnPath({ method: exchange.method, path, body: await readJson(request, bodyLimitBytes) })
  if (response === undefined) throw failure(404, 'NotFound', 'the server could not find the requested resource', {})
  await request.sendDocument(response.code ?? 200, 'application/json', `${JSON.stringify(response.body)}\n`)
}

async function readJson({ exchange }: Request, limit: number): Promise<unknown> {
  if (!exchange.hasBody) return undefined
  const body = await exchange.readBody(limit)
  if (body === undefined) throw tooLargeError(`Request entity too large: limit is ${limit}`)
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString()) as unknown
  } catch (error) {
    throw badRequestError(`the body is not JSON: ${(error as Error).message}`)
  }
}
