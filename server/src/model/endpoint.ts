import { BlockList, isIP } from 'node:net';
import { presetOnPort, type ServerKind } from './presets.ts';

/** Where a model server is, after the rules about hosts were kept. */
export interface Endpoint {
  /** Base of the OpenAI-compatible paths, such as `http://127.0.0.1:8080/v1`; no slash at the end. */
  readonly api: string;
  /** Base of the server's own paths, such as `http://127.0.0.1:8080`; no slash at the end. */
  readonly root: string;
  /** Lower case; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** The host is this machine. Connections to it never leave it, whatever names or proxies say. */
  readonly loopback: boolean;
  /** What usually listens on the port, or what was found there; only messages and probes depend on it. */
  readonly kind?: ServerKind;
}

export type EndpointResult =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'host-not-allowed'; readonly host: string; readonly message: string };

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopbackAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** Servers print the address they bind to; one connects to this machine instead. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

function invalid(text: string, why: string): EndpointResult {
  return { kind: 'invalid', message: `The model endpoint ${JSON.stringify(text)} ${why}; write it like http://127.0.0.1:8080/v1.` };
}

function parse(text: string): URL | undefined {
  const trimmed = text.trim();
  const complete = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  return URL.canParse(complete) ? new URL(complete) : undefined;
}

/**
 * Reads an address as a person writes it: with or without scheme, `/v1` or a slash at the end. A host other than this machine is
 * refused unless `allowedHosts` names it exactly.
 */
export function resolveEndpoint(text: string, allowedHosts: readonly string[] = []): EndpointResult {
  const url = parse(text);
  if (url === undefined || url.hostname === '') return invalid(text, 'is no address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalid(text, 'starts with neither http:// nor https://');
  if (url.username !== '' || url.password !== '') return invalid('(hidden)', 'holds a user name or password; use the key command instead');
  if (url.search !== '' || url.hash !== '') return invalid(text, 'has a part after ? or #');
  url.hostname = ANY_ADDRESS[url.hostname] ?? url.hostname;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const loopback = isLoopback(host);
  if (!loopback && !allowedHosts.some((allowed) => allowed.trim().toLowerCase() === host)) {
    return {
      kind: 'host-not-allowed',
      host,
      message: `The model server is on ${host}, not on this machine; add ${JSON.stringify(host)} to rtlCopilot.model.allowedHosts if your code may be sent there.`,
    };
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|completions|models)$/, '');
  const kind = presetOnPort(port)?.kind;
  return {
    kind: 'endpoint',
    endpoint: {
      api: url.origin + (path === '' ? '/v1' : path),
      root: url.origin + path.replace(/\/v\d+$/, ''),
      host,
      port,
      loopback,
      ...(kind === undefined ? {} : { kind }),
    },
  };
}

/** The usual endpoint of a server on this machine. */
export function loopbackEndpoint(port: number, kind?: ServerKind): Endpoint {
  const root = `http://127.0.0.1:${port}`;
  return { api: `${root}/v1`, root, host: '127.0.0.1', port, loopback: true, ...(kind === undefined ? {} : { kind }) };
}
