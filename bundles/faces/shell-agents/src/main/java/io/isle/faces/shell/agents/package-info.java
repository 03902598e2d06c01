/** Shell commands on agents. */
package io.isle.faces.shell.agents;
