/** A browser without a screen: it keeps cookies and follows redirects as far as a test wants. */

export interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: Headers;
  readonly body: string;
}

/** What a browser says about a request that a person makes by a link or in the address bar. */
export const TYPED = { "sec-fetch-site": "none" };
/** What it says about one of our own page. */
export const OURS = { "sec-fetch-site": "same-origin" };

let jars = 0;

export class Jar {
  readonly cookies = new Map<string, string>();
  /** The address from which it comes; each has another one. */
  address = `10.0.${++jars >> 8}.${jars & 255}`;

  async ask(url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answered> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: {
        ...TYPED,
        "x-forwarded-for": this.address,
        ...headers,
        ...(cookie === "" ? {} : { cookie }),
      },
      body: body ?? null,
    });
    for (const each of response.headers.getSetCookie()) this.#keep(each);
    const location = response.headers.get("location") ?? undefined;
    return {
      status: response.status,
      location: location === undefined ? undefined : new URL(location, url).href,
      headers: response.headers,
      body: await response.text(),
    };
  }

  /** Follows redirects from a URL until `until` is true of the next one, or there is none. Returns the last URL. */
  async follow(url: string, until: (url: string) => boolean = () => false): Promise<string> {
    for (let at = url; ;) {
      if (until(at)) return at;
      const { status, location } = await this.ask(at);
      if (location === undefined || status < 300 || status > 399) return at;
      at = location;
    }
  }

  #keep(text: string): void {
    const [pair = "", ...attributes] = text.split("; ");
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    const isEnded = attributes.some((each) => /^(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(each));
    if (isEnded) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1));
  }
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}
