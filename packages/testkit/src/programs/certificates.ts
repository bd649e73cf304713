import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../system/temporary-folder.ts';
import { systemPath } from './system-programs.ts';

/** The paths of PEM files. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** An authority that issues certificates, made with openssl in a folder of its own, which other users can enter. */
export class CertificateAuthority {
  readonly certificate: string;
  readonly #key: string;
  readonly #folder = temporaryFolder('certificates-');

  constructor() {
    chmodSync(this.#folder, 0o755);
    const own = this.#request('authority', '/CN=Test Authority', ['-x509', '-days', '2']);
    this.certificate = own.certificate;
    this.#key = own.key;
  }

  /** Issues a certificate for a name, and host names or addresses such as `DNS:localhost`. The key belongs to `owner`. */
  issue(name: string, subjects: string[] = [], owner?: { uid: number; gid: number }): Certificate {
    const extensions = subjects.length > 0 ? ['-addext', `subjectAltName=${subjects.join(',')}`] : [];
    const issuer = ['-x509', '-days', '2', '-CA', this.certificate, '-CAkey', this.#key];
    const issued = this.#request(name, `/CN=${name}`, [...issuer, ...extensions]);
    chmodSync(issued.key, 0o600);
    if (owner) chownSync(issued.key, owner.uid, owner.gid);
    return issued;
  }

  /** Writes a file for a server beside the certificates. Returns its path. */
  file(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  #request(name: string, subject: string, args: string[]): Certificate {
    const certificate = join(this.#folder, `${name}.pem`);
    const key = join(this.#folder, `${name}.key`);
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', ...newKey, '-subj', subject, ...args, '-out', certificate], {
      env: { PATH: systemPath },
      stdio: 'ignore',
    });
    return { certificate, key };
  }
}
