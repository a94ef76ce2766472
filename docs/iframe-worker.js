// Search in a site that is opened from the disk: browsers start no worker from a file, so a hidden frame stands in for it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #waiting = [];  // messages to a script that is not loaded yet

    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      // what the script posts comes out here, and is no message of the frame to itself
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = this.inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      };
      this.inside.document.body.append(script);
    }

    postMessage(data) {
      if (this.#waiting) this.#waiting.push(data);
      else this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
